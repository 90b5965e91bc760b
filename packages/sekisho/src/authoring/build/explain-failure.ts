import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { brokenAnchor, brokenLink, duplicateId, duplicateRoute, wrongFrontMatter } from './writers-texts.ts'

/**
 * Explains to a writer, from Docusaurus' output, the changes that a failed build or broken links need; no hook provides them.
 * @param lines the output, without colours
 * @returns a sentence for each mistake; none for unknown failures
 */
export function explainFailure(siteDir: string, lines: readonly string[]): Message[] {
  const text = lines.join('\n')
  return [
    ...unresolvedLinks(text),
    ...brokenLinks(siteDir, lines),
    ...duplicateRoutes(siteDir, text),
    ...duplicateIds(text),
    ...refusedFrontMatter(siteDir, text),
  ]
}

function brokenLinks(siteDir: string, lines: readonly string[]): Message[] {
  const broken = lines.flatMap((line, index) => {
    const [, kind, page] = /Broken (link|anchor) on source page path = (\S+?):?$/u.exec(line) ?? []
    if (page === undefined) return []
    const rest = lines.slice(index + 1)
    const targets = rest.slice(
      0,
      Math.max(
        0,
        rest.findIndex((next) => !next.includes('-> linking to')),
      ),
    )
    return targets.flatMap((next) => {
      const target = /-> linking to (\S+)/u.exec(next)?.[1]
      return target === undefined ? [] : [{ page, target, kind }]
    })
  })
  if (broken.length === 0) return []
  const sources = sourcesByRoute(siteDir)
  return broken.map(({ page, target, kind }) => {
    const source = sources.get(page)
    const place = source === undefined ? page : placeOf(siteDir, source, target)
    return kind === 'anchor' ? brokenAnchor(place, target) : brokenLink(place, target)
  })
}

function unresolvedLinks(text: string): Message[] {
  const found = text.matchAll(
    /Markdown link with URL `(.+?)` in source file "(.+?)" \((\d+):\d+\) couldn't/gu,
  )
  return [...found].map(([, target = '', file = '', line = '']) => brokenLink(`${file}:${line}`, target))
}

function duplicateRoutes(siteDir: string, text: string): Message[] {
  const routes = [...text.matchAll(/Attempting to create page at (\S+), but a page already exists/gu)]
  return routes.map(([, route = '']) => duplicateRoute(route, filesAt(siteDir, route)))
}

function duplicateIds(text: string): Message[] {
  return [...text.matchAll(/- `(.+?)` found in \d+ docs:\n((?:\s+- .+\n?)+)/gu)].map(
    ([, id = '', files = '']) =>
      duplicateId(
        id,
        Array.from(files.matchAll(/- (\S+)/gu), ([, name = '']) => name),
      ),
  )
}

function refusedFrontMatter(siteDir: string, text: string): Message[] {
  const found =
    /Can't process \w+ metadata for .*? path path=(\S+)[\s\S]*?\[ValidationError\]: (.+?)\] \{/u.exec(text)
  if (found === null) return []
  const [, file = '', reason = ''] = found
  return [wrongFrontMatter(file.replace(`${siteDir}/`, ''), reason)]
}

/** Page files by route, as the content plugins noted them while they loaded the site. */
function sourcesByRoute(siteDir: string): ReadonlyMap<string, string> {
  return new Map(notedPages(siteDir).map(({ permalink, source }) => [permalink, source]))
}

function filesAt(siteDir: string, route: string): string[] {
  return notedPages(siteDir).flatMap(({ permalink, source }) => (permalink === route ? [source] : []))
}

/** Sources are relative to the site. Notes of pages that are gone since are left out. */
function notedPages(siteDir: string): { permalink: string; source: string }[] {
  const generated = join(siteDir, '.docusaurus')
  return globSync('docusaurus-plugin-content-*/*/site-*.json', { cwd: generated }).flatMap((name) => {
    const note: { permalink?: unknown; source?: unknown } = JSON.parse(
      readFileSync(join(generated, name), 'utf8'),
    )
    const { permalink, source } = note
    if (typeof permalink !== 'string' || typeof source !== 'string') return []
    const file = source.replace(/^@site\//u, '')
    return textOf(siteDir, file) === null ? [] : [{ permalink, source: file }]
  })
}

function placeOf(siteDir: string, source: string, target: string): string {
  const lines = textOf(siteDir, source)?.split('\n') ?? []
  const heading = /#.+$/u.exec(target)?.[0] ?? target
  const names = [target, decodeURI(target), target.replace(/^.*\/(?=[^/]+\/?$)/u, ''), heading]
  const index = names
    .filter((name) => name.length > 1) // a lone slash stands everywhere
    .map((name) => lines.findIndex((line) => line.includes(name)))
    .find((found) => found >= 0)
  return index === undefined ? source : `${source}:${index + 1}`
}

function textOf(siteDir: string, file: string): string | null {
  try {
    return readFileSync(join(siteDir, file), 'utf8')
  } catch {
    return null
  }
}

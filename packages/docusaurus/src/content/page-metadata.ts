import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ShapeReader } from '@sekisho/contract/json-shape'
import { Message } from '@sekisho/contract/language'
import {
  FRONT_MATTER_KEYS,
  type Meta,
  type PageMetadata,
  readFrontMatterMetadata,
  writeMetas,
} from '@sekisho/contract/page-metadata'
import { findMisspelt, lineOf } from '../writing/front-matter.ts'
import { pageError } from '../writing/problems.ts'
import { inSiteLanguage } from '../writing/site-language.ts'
import { frontMatterProblemOf, problemOf } from '../writing/texts/index.ts'
import { type FindOwner, findCodeOwners } from './code-owners.ts'
import { field, loadedPages, pathKey } from './loaded-content.ts'
import type { TranslationStatuses } from './translation-status.ts'

/** Metadata by the path of the page, without a closing slash; pages without any are absent. */
export type MetadataOfPages = ReadonlyMap<string, PageMetadata>

/** Keys that keep a page from readers: misspelt, they would publish it. */
const HIDING: ReadonlySet<string> = new Set(['draft', 'unlisted'])

/** Pages whose owner is found in CODEOWNERS: those with other metadata, or all of the site. */
export type CodeOwners = 'metadata' | 'all'

/**
 * Reads the metadata in the front matter of every page, with owners of CODEOWNERS where it names none, and adds the status of
 * translations. Warns of misspelt keys. Throws `PageError` with file and line of each mistake.
 */
export function readMetadata(
  allContent: unknown,
  siteDir: string,
  codeOwners: CodeOwners = 'metadata',
  translations: TranslationStatuses = new Map(),
): MetadataOfPages {
  const problems: string[] = []
  const restricted: string[] = []
  const found = new Map<string, PageMetadata>()
  let findOwner: FindOwner | null = null
  for (const page of loadedPages(allContent)) {
    const shape = new ShapeReader()
    const frontMatter = Object(field(page, 'frontMatter'))
    const metadata = readFrontMatterMetadata(frontMatter, shape)
    const file = String(field(page, 'source')).replace(/^@site\//, '')
    for (const [name, meant] of findMisspelt(frontMatter)) {
      const line = lineOf(readFileSync(path.join(siteDir, file), 'utf8'), name)
      const slip = inSiteLanguage(frontMatterProblemOf('misspelt_in', `${file}:${line}`, name, meant))
      if (HIDING.has(meant) && frontMatter[name] !== false) problems.push(slip)
      else console.warn(`[WARNING] ${slip}`)
    }
    if (frontMatter.audience !== undefined) restricted.push(file)
    problems.push(...shape.problems.map((problem) => describe(siteDir, file, problem)))
    const isUsed = Object.keys(metadata).length > 0
    if (isUsed || codeOwners === 'all') findOwner ??= findCodeOwners(siteDir)
    const owner = metadata.owner ?? (isUsed || codeOwners === 'all' ? findOwner?.(file) : undefined)
    const key = pathKey(String(field(page, 'permalink')))
    const isServable = process.env.NODE_ENV !== 'production' || !/[\\%?#;]/.test(key)
    if (!isServable) problems.push(inSiteLanguage(problemOf('address', file, key)))
    const translation = translations.get(key)
    if (isUsed || owner != null || translation !== undefined)
      found.set(key, { ...metadata, ...(owner != null && { owner }), ...translation })
  }
  if (problems.length > 0) throw pageError(problems.join('\n'))
  const [first] = restricted
  if (first !== undefined && !existsSync(path.join(siteDir, 'sekisho.editions.json')))
    console.warn(
      `[WARNING] ${inSiteLanguage(frontMatterProblemOf('audience_unused', first, restricted.length))}`,
    )
  return found
}

/** Paths of documents with notes of the gate that their front matter does not tell of. */
export const notedElsewhere = (allContent: unknown, metadata: MetadataOfPages): readonly string[] =>
  loadedPages(allContent)
    .filter((page) => {
      const { owner, behind = 0 } = metadata.get(pathKey(String(field(page, 'permalink')))) ?? {}
      return behind > 0 || (owner !== undefined && field(field(page, 'frontMatter'), 'owner') === undefined)
    })
    .map((page) => String(field(page, 'permalink')))

/** Adds `<meta>` elements to the built pages that have metadata. `pages` are those of the built `site.json`. */
export async function writeMetadata(
  outDir: string,
  pages: readonly { readonly path: string; readonly file: string }[],
  metadata: MetadataOfPages,
): Promise<void> {
  for (const { path: route, file } of pages) {
    const own = metadata.get(pathKey(route))
    if (own === undefined) continue
    const name = path.join(outDir, file)
    const html = await readFile(name, 'utf8')
    await writeFile(
      name,
      html.replace(/(?=<\/head>)/i, () => writeMetas(own).map(element).join('')),
    )
  }
}

const element = ({ name, content }: Meta): string => `<meta name="${name}" content="${escapeHtml(content)}">`

/** Text of an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** A problem with the file and the line of the key that it is about. */
function describe(siteDir: string, file: string, problem: Message): string {
  const [place, what] = problem.values
  const unknown = what instanceof Message ? /^"(.*)"$/.exec(String(what.values[0]))?.[1] : undefined
  const [field, inner] = String(place).split(' ').at(-1)?.split('.') ?? []
  const key = Object.entries(FRONT_MATTER_KEYS).find(([, name]) => name === field)?.[0]
  const lines = readFileSync(path.join(siteDir, file), 'utf8').split('\n')
  const at = [unknown, inner, key].map((name) =>
    lines.findIndex((text) => text.trimStart().startsWith(`${name}:`)),
  )
  const line = at.find((index) => index >= 0) ?? 0
  return `${file}:${line + 1}: ${inSiteLanguage(problem)}`
}

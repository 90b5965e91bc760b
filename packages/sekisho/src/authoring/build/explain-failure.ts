import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import type { Message } from '@sekisho/contract/language'
import { createLinkHistory, type LinkHistory } from '@sekisho/docusaurus/writing'
import {
  brokenAnchor,
  brokenLink,
  duplicateId,
  duplicateRoute,
  noYaml,
  withHistory,
  wrongFile,
  wrongFrontMatter,
  wrongPage,
} from './writers-texts.ts'

/** Docusaurus' messages on files of a site that are no pages, without indentation, and our text for each; groups are its values. */
const FILES = [
  [
    /Invalid sidebar file at "(.+?)"\.\nThese sidebar document ids do not exist:\n((?:- .+\n)+)\n*Available document ids are:\n((?:- .+\n)+)/,
    'sidebar_ids',
  ],
  [
    /category metadata file "(.+?)" looks invalid![\s\S]*?(?:YAMLException: (.+)|\[ValidationError\]: (.+?)\] \{)/,
    'category_file',
  ],
  [
    /^(?![\s\S]*category metadata)[\s\S]*Sidebars file at "(.+?)" failed[\s\S]*?\nmessage: '(.+)',/,
    'sidebar_file',
  ],
  [
    /The file at "(.+?)" looks invalid \(not Yaml nor JSON\)\.[\s\S]*?\[cause\]: YAMLException: (.+)/,
    'no_yaml',
  ],
  [
    /blog source file path=(\S+) failed\.[\s\S]*?author with key "(.+?)" not found[^\n]*\n[^\n]*keys are:\n((?:- .+\n)+)/,
    'unknown_author',
  ],
  [/\[ValidationError\]: "(.+?)" must contain at least one of \[name, imageURL\]/, 'author_entry'],
  [/Some blog authors used in "(.+?)" are not defined in "(.+?)"/, 'inline_author'],
  [/Tags \[(.+?)\] used in (\S+) are not defined in (\S+)/, 'unknown_tags'],
  [/These field\(s\) \((.+?),?\) are not recognized in (\S+)\.\n/, 'config_fields'],
  [/\[ERROR\] Error: ("[^"]+" (?:must|is|does) .+|The url is not supposed .+)/, 'config_value'],
  [
    /could not load module at path "(.+?)"[\s\S]*?(?:ParseError|SyntaxError): (.+?)\s*\n(\S+:\d+):\d+/,
    'config_syntax',
  ],
  [
    /^(?![\s\S]*(?:Can't process|Sidebars file))[\s\S]*\[ValidationError\]: ("[^"]+" is not allowed)\]/,
    'plugin_option',
  ],
  [/The path to the sidebar file does not exist at "(.+?)"/, 'sidebar_path'],
  [/unable to resolve the "(.+?)" (?:plugin|theme|preset)\b/, 'no_plugin'],
  [
    /Can't find any sidebar with id "(.+?)"[\s\S]*?Available sidebar ids are:\n((?:- .+\n)+)/,
    'navbar_sidebar',
  ],
  [/(?:Bad navbar item type|No NavbarItem component found for type) "?([\w-]+)/, 'navbar_type'],
] as const

/** The same of pages that fail while they are rendered. */
const PAGES = [
  [/Expected component `(.+?)` to be defined/, 'unknown_component'],
  [/Docusaurus error: Bad <(Tabs)> child/, 'tabs_child'],
  [/ReferenceError: (\S+) is not defined/, 'undefined_name'],
  [/The `(style)` prop expects a mapping/, 'style_text'],
  [/\[cause\]: (.+)/, 'page_failed'],
] as const

/**
 * Explains to a writer, from Docusaurus' output, the changes that a failed build or broken links need; no hook provides them.
 * @param lines the output, without colours
 * @param env of Git, where the history of the site lies elsewhere
 * @returns a sentence for each mistake; none for unknown failures
 */
export function explainFailure(
  siteDir: string,
  lines: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Message[] {
  const text = lines.join('\n')
  const addressOf = (file: string) => notedPages(siteDir).find(({ source }) => source === file)?.permalink
  const history = createLinkHistory({ cwd: siteDir, env }, addressOf)
  return [
    ...unresolvedLinks(text, history),
    ...brokenLinks(siteDir, lines, history),
    ...duplicateRoutes(siteDir, text),
    ...duplicateIds(text),
    ...refusedFrontMatter(siteDir, text),
    ...wrongFiles(siteDir, lines),
    ...failedPages(siteDir, lines),
    ...missingModules(siteDir, text),
    ...unreadScripts(siteDir, text),
    ...unusedDirectives(text),
    ...impossibleDays(siteDir, text),
    ...missingDocument(siteDir, unindented(lines)),
  ]
}

/** Indentation depends on how deep a cause is nested. */
const unindented = (lines: readonly string[]): string => lines.map((line) => line.trim()).join('\n')

function wrongFiles(siteDir: string, lines: readonly string[]): Message[] {
  const text = unindented(lines)
  return FILES.flatMap(([pattern, code]) => {
    const groups = pattern
      .exec(text)
      ?.slice(1)
      .filter((group) => group !== undefined)
    if (groups === undefined) return []
    const names = groups.map((group) => namesOf(siteDir, group))
    const [, line] = /\((\d+):\d+\)$/.exec(names[1] ?? '') ?? []
    if (line !== undefined) names[0] += `:${line}`
    const faulty = names.flatMap((name) => nameIn(name) ?? [])[0]
    return [
      wrongFile(code, faulty === undefined ? names : names.map((name) => placeOf(siteDir, name, faulty))),
    ]
  })
}

/** A list as one line, and files from the site's folder: plugins name theirs from the folder of their content. */
function namesOf(siteDir: string, group: string): string {
  const name = group.trim().replace(/^- /, '').replaceAll(/\n- /g, ', ').replace(`${siteDir}/`, '')
  const isThere = (file: string) => /\.\w+$/.test(file) && existsSync(join(siteDir, file))
  if (isThere(name) || !/^[^\s"]+\.\w+$/.test(name)) return name
  const folders = readdirSync(siteDir).filter((folder) => !/^(?:node_modules|build|\..*)$/.test(folder))
  return folders.map((folder) => `${folder}/${name}`).find(isThere) ?? name
}

/** The field that a reason names, unless it is missing, and the author, tag or document of a value that is a name alone. */
const nameIn = (value: string): string | undefined =>
  /^"([\w.-]+)",?(?! is required)/.exec(value)?.[1] ?? /^[\p{L}\p{N}_-]+$/u.exec(value)?.[0]

/** The bundler names the folder of the file alone, and nothing where an alias is not there. */
function missingModules(siteDir: string, text: string): Message[] {
  const missing = /Module not found: Can't resolve '(.+?)' in '(.+?)'|Cannot find module '(.+?)' for matched/g
  return [...text.matchAll(missing)].map(([, name, folder = siteDir, aliased]) => {
    const wanted = name ?? aliased ?? ''
    const within = relative(siteDir, folder)
    const sources = name === undefined ? '!(node_modules|build)/**/*.{md,mdx,js,jsx,ts,tsx}' : '*.*'
    const files = globSync(sources, { cwd: folder }).map((file) => join(within, file))
    const quoted = [`'${wanted}'`, `"${wanted}"`]
    const [place = within] = files.flatMap((file) =>
      quoted.map((one) => placeOf(siteDir, file, one)).filter((one) => one !== file),
    )
    return wrongPage('no_module', place, wanted)
  })
}

/** The first mistake of each script that the bundler cannot read. */
function unreadScripts(siteDir: string, text: string): Message[] {
  const found = [...text.matchAll(/[x×] ([^x×\n]\S[^\n]*)\n[^\n]*[,╭][-─]+\[([^\]\n]+):(\d+):\d+\]/g)]
  const first = new Map(found.toReversed().map(([, reason = '', file = '', line]) => [file, [reason, line]]))
  return [...first].map(([file, [reason = '', line]]) =>
    wrongFile('config_syntax', ['', reason, `${relative(siteDir, file)}:${line}`]),
  )
}

function unusedDirectives(text: string): Message[] {
  const files = text.matchAll(/unused Markdown directives in file "(.+?)"\n((?:\s*- .+\n)+)/g)
  return [...files].flatMap(([, file = '', found = '']) =>
    Array.from(found.matchAll(/- (\S+) \((\d+):/g), ([, name = '', line]) =>
      wrongPage('unused_directive', `${file}:${line}`, name),
    ),
  )
}

/** The document that a sidebar or the link of a category names. */
function missingDocument(siteDir: string, text: string): Message[] {
  const [, id = '', known = ''] =
    /Can't find any doc with ID (\S+)\.\nAvailable doc IDs:\n((?:- .+\n?)+)/.exec(text) ?? []
  if (id === '') return []
  const files = ['sidebars.{js,ts,json}', '!(node_modules|build)/**/_category_.{json,yml,yaml}']
  const places = globSync(files, { cwd: siteDir }).map((file) => [file, placeOf(siteDir, file, id)])
  const [, place = 'sidebars'] = places.find(([file, found]) => file !== found) ?? []
  return [wrongFile('sidebar_ids', [place, id, namesOf(siteDir, known)])]
}

/** Blog posts whose names begin with a day that no calendar has, of which Docusaurus says no more than this. */
function impossibleDays(siteDir: string, text: string): Message[] {
  if (!text.includes('RangeError: Invalid time value')) return []
  const posts = globSync('!(node_modules|build)/**/*.{md,mdx}', { cwd: siteDir })
  return posts.flatMap((file) => {
    const [, day = ''] = /(?:^|\/)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/][^/]*/.exec(file) ?? []
    return day !== '' && Number.isNaN(Date.parse(day)) ? [wrongPage('impossible_day', file, day)] : []
  })
}

function failedPages(siteDir: string, lines: readonly string[]): Message[] {
  const failures = unindented(lines).split(`Can't render static file for pathname "`).slice(1)
  const sources = failures.length === 0 ? new Map<string, string>() : sourcesByRoute(siteDir)
  return failures.flatMap((failure) => {
    const route = /^[^"\s]+/.exec(failure)?.[0] ?? ''
    const [page] = globSync(`src/pages${route}{,/index}.{js,jsx,ts,tsx}`, { cwd: siteDir })
    const place = sources.get(route) ?? page ?? route
    // Of a text between <Tabs> Docusaurus says no more than this.
    const isText = failure.includes("(reading 'name')") && textOf(siteDir, place)?.includes('<Tabs')
    const said = isText === true ? 'Docusaurus error: Bad <Tabs> child' : failure
    const [pattern, code] = PAGES.find(([one]) => one.test(said)) ?? []
    if (pattern === undefined || code === undefined) return []
    const name = pattern.exec(said)?.[1] ?? ''
    const marked = [`<${name}`, `{${name}`, `${name}=`, name].map((text) => placeOf(siteDir, place, text))
    return [wrongPage(code, (name !== '' && marked.find((one) => one !== place)) || place, name)]
  })
}

function brokenLinks(siteDir: string, lines: readonly string[], history: LinkHistory): Message[] {
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
      return target === undefined ? [] : [{ page, target: decodeOrSame(target, decodeURI), kind }]
    })
  })
  if (broken.length === 0) return []
  const sources = sourcesByRoute(siteDir)
  return broken.map(({ page, target, kind }) => {
    const source = sources.get(page)
    const place = source === undefined ? page : placeOf(siteDir, source, target)
    if (kind === 'link')
      return withHistory(
        brokenLink(place, target),
        history.ofPage({ source: source ?? '', permalink: page }, target),
      )
    const { pathname = '', hash = '' } = URL.parse(target, `http://site.invalid${page}`) ?? {}
    const paths = [pathname, decodeOrSame(pathname, decodeURI)].flatMap((path) => [
      path,
      path.replace(/\/$/, ''),
    ])
    const there = paths.map((path) => sources.get(path)).find((one) => one !== undefined)
    const became = there === undefined ? null : history.ofHeading(there, hash.slice(1))
    return withHistory(brokenAnchor(place, target), became)
  })
}

function unresolvedLinks(text: string, history: LinkHistory): Message[] {
  const found = text.matchAll(
    /Markdown link with URL `(.+?)` in source file "(.+?)" \((\d+):\d+\) couldn't/gu,
  )
  return [...found].map(([, target = '', source = '', line = '']) =>
    withHistory(brokenLink(`${source}:${line}`, target), history.ofPage({ source, permalink: null }, target)),
  )
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
  const [, path = '', failure = ''] =
    /(?:Can't process \w+ metadata for .*? path|source file) path=(\S+)([\s\S]*)/u.exec(text) ?? []
  const file = namesOf(siteDir, path)
  const refused = /\[ValidationError\]: (.+?)\] \{/u.exec(failure)?.[1]
  if (refused !== undefined)
    return [wrongFrontMatter(placeOf(siteDir, file, nameIn(refused) ?? file), refused)]
  const [, reason, line] = /YAMLException: (.+?) \((\d+):\d+\)/u.exec(failure) ?? []
  return reason === undefined ? [] : [noYaml(`${file}:${line}`, reason)]
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
  const names = [target, decodeOrSame(target, decodeURI), target.replace(/^.*\/(?=[^/]+\/?$)/u, ''), heading]
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

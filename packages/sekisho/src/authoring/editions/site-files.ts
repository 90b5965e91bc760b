import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join, matchesGlob } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { findAudienceMistakes, findCategoryAudience } from './audience-mistakes.ts'
import { EDITIONS_FILE, globsOf, knownAudiences, problemOf, type SiteEditions } from './read-editions.ts'

/** One file of a site. */
export interface SiteFile {
  /** Below the site, with `/`. */
  readonly name: string
  /** Null for an unrestricted file. */
  readonly audience: string | null
  /** True for a page or partial in Markdown. */
  readonly isMarkdown: boolean
  /** Text of a file that may name others. */
  readonly text: string | null
  readonly frontMatter: Readonly<Record<string, unknown>>
  /** Entries of a list of authors or tags, or a folder's category metadata; null for every other file. */
  readonly table: Readonly<Record<string, unknown>> | null
}

/** Made by builds and installs, or no part of a site. */
const LEFT_OUT = new Set(['node_modules', 'build', 'dist', 'coverage'])
const MARKDOWN = new Set(['.md', '.mdx'])
const CODE = new Set([
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.yml',
  '.yaml',
  '.css',
  '.scss',
  '.html',
])
/** Lists that name what pages refer to, and what folders say of themselves. */
const TABLE = /(?:^|\/)(?:(?:authors|tags)\.ya?ml|_category_\.(?:json|ya?ml))$/
const CATEGORY = /(?:^|\/)_category_\.[a-z]+$/
const AUDIENCE = /^[^\w\n]*audience\W/m
/** As gray-matter finds it: with a mark of byte order before it, and the name of a language, or blanks, behind its dashes. */
const FRONT_MATTER = /^\uFEFF?---(?!-)([^\n]*)/
/** Languages that can be read without being run; JavaScript would run with all rights of this command. */
const LANGUAGES = new Set(['', 'yaml', 'yml', 'json'])
const PARALLEL = 32

type ParseFrontMatter = (file: {
  readonly filePath: string
  readonly fileContent: string
}) => Promise<{ readonly frontMatter: Record<string, unknown> }>

/**
 * Lists the files of a site with their audiences. A page says its own in its front matter, `audience: NAME`, or a glob of
 * `paths` says it; a translation has the one of what it translates. Rejects with {@link ReleaseError} naming every file.
 */
export async function listSiteFiles(siteDir: string, editions: SiteEditions): Promise<readonly SiteFile[]> {
  const names = await listNames(siteDir, '')
  const parse = findFrontMatterParser(siteDir)
  const problems: Message[] = findUnusedGlobs(names, editions)
  const files: SiteFile[] = []
  const queue = names.values()
  const work = async () => {
    for (const name of queue) files.push(await readSiteFile(siteDir, name, { editions, parse, problems }))
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  if (problems.length > 0)
    throw new ReleaseError(
      'site_invalid',
      problems.sort((one, other) => (String(one) < String(other) ? -1 : 1)),
    )
  return withTranslations(files.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

/** Unmatched globs, since a mistake in one would show a page to all readers. */
export function findUnusedGlobs(names: readonly string[], editions: SiteEditions): Message[] {
  const used = new Set(names.flatMap((name) => globsOf(editions, name)))
  const isUnused = (glob: string) => !names.some((name) => matchesGlob(name, glob))
  const unused = [
    ...[...editions.paths.keys()].filter((glob) => !used.has(glob)).map((glob) => `paths ${glob}`),
    ...editions.shared.filter(isUnused).map((glob) => `shared ${glob}`),
  ]
  return unused.map((rule) => problemOf('in_file', EDITIONS_FILE, problemOf('unused_glob', rule)))
}

async function listNames(root: string, folder: string): Promise<string[]> {
  const names: string[] = []
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (
      entry.name.startsWith('.') ||
      (folder === '' && LEFT_OUT.has(entry.name)) ||
      entry.name === 'node_modules'
    )
      continue
    if (entry.isDirectory()) names.push(...(await listNames(root, name)))
    else names.push(name)
  }
  return names
}

interface Reading {
  readonly editions: SiteEditions
  readonly parse: ParseFrontMatter
  readonly problems: Message[]
}

async function readSiteFile(
  siteDir: string,
  name: string,
  { editions, parse, problems }: Reading,
): Promise<SiteFile> {
  const globs = globsOf(editions, name)
  const said = globs.map((glob) => ({
    audience: editions.paths.get(glob) ?? null,
    where: `"${glob}" (${EDITIONS_FILE})`,
  }))
  const type = extname(name)
  const isMarkdown = MARKDOWN.has(type)
  const text = isMarkdown || CODE.has(type) ? await readFile(join(siteDir, name), 'utf8') : null
  const language = isMarkdown ? languageOfFrontMatter(text ?? '') : null
  if (language !== null && !LANGUAGES.has(language))
    problems.push(problemOf('front_matter_language', `${name}:1`, language))
  const isRead = language !== null && LANGUAGES.has(language)
  const parsed = isRead ? await readFrontMatter(join(siteDir, name), text ?? '', parse) : {}
  const frontMatter = parsed ?? {}
  if (isMarkdown && (isRead || language === null))
    problems.push(
      ...findAudienceMistakes({
        name,
        text: text ?? '',
        frontMatter: parsed,
        audiences: new Set([...knownAudiences(editions), ...editions.editions.map(({ name }) => name)]),
      }),
    )
  if (Object.hasOwn(frontMatter, 'audience')) {
    const { audience } = frontMatter
    const line = (text ?? '').slice(0, Math.max(0, text?.search(AUDIENCE) ?? 0)).split('\n').length
    if (typeof audience !== 'string' || !knownAudiences(editions).has(audience))
      problems.push(
        problemOf('unknown_in_page', `${name}:${line}`, JSON.stringify(audience), [
          ...knownAudiences(editions),
        ]),
      )
    else said.push({ audience, where: `${name}:${line}` })
  }
  if (said.length > 1)
    problems.push(
      problemOf(
        'audience_repeated',
        name,
        said.map(({ where }) => where),
      ),
    )
  const table =
    TABLE.test(name) && text !== null
      ? ((await readFrontMatter(name, `---\n${text}\n---\n`, parse)) ?? {})
      : null
  if (table !== null && CATEGORY.test(name))
    problems.push(...findCategoryAudience({ name, text: text ?? '', frontMatter: table }))
  return { name, audience: said[0]?.audience ?? null, isMarkdown, text, frontMatter, table }
}

/** The language that front matter is in, in which YAML is none; null for a text without. */
const languageOfFrontMatter = (text: string): string | null =>
  FRONT_MATTER.exec(text)?.[1]?.trim().toLowerCase() ?? null

async function readFrontMatter(filePath: string, fileContent: string, parse: ParseFrontMatter) {
  return parse({ filePath, fileContent }).then(
    ({ frontMatter }) => frontMatter,
    () => null,
  )
}

/** The parser of the Docusaurus that the site has installed. */
function findFrontMatterParser(siteDir: string): ParseFrontMatter {
  const core = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
  return createRequire(core)('@docusaurus/utils').DEFAULT_PARSE_FRONT_MATTER
}

/** Path of a document's translation: its plugin's instance and version, and the path below it. */
const TRANSLATION = /^i18n\/[^/]+\/docusaurus-plugin-content-(docs|blog|pages)(?:-([^/]+))?\/(.*)$/

/**
 * A page that is translated is its readers' alone in every language. Where a site keeps its documents elsewhere than usual, and
 * it cannot be told which page a translation is of, the translation has to say its audience itself.
 */
function withTranslations(files: readonly SiteFile[]): readonly SiteFile[] {
  const audiences = new Map(files.map(({ name, audience }) => [name, audience]))
  const problems: Message[] = []
  const found = files.map((file) => {
    if (file.audience !== null || !file.isMarkdown) return file
    const originals = originalsOf(file.name, audiences)
    const [audience = null, ...others] = new Set(originals.map((name) => audiences.get(name) ?? null))
    if (others.length > 0) problems.push(problemOf('unclear_translation', file.name, originals))
    return audience === null ? file : { ...file, audience }
  })
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  return found
}

/** The files that a file may be a translation of: that of the usual folder, else those of the same name in any folder. */
function originalsOf(name: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  const [, kind, id, rest = ''] = TRANSLATION.exec(name) ?? []
  if (kind === undefined) return []
  const [, version = '', inVersion = ''] = /^([^/]+)\/(.*)$/.exec(rest) ?? []
  const isVersioned = kind === 'docs' && version !== 'current'
  const path = kind === 'docs' ? inVersion : rest
  const folder = isVersioned
    ? `${id === undefined ? '' : `${id}_`}versioned_docs/${version}`
    : (id ?? { docs: 'docs', blog: 'blog', pages: 'src/pages' }[kind])
  if (known.has(`${folder}/${path}`)) return [`${folder}/${path}`]
  return [...known.keys()].filter((one) => !one.startsWith('i18n/') && one.endsWith(`/${path}`))
}

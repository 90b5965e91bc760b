import { existsSync } from 'node:fs'
import path from 'node:path'
import { askGit, readNameStatus } from '../writing/git-history.ts'
import { field, loadedDocs, pathKey } from './loaded-content.ts'

/** Distance of a translated page from its original. */
interface TranslationStatus {
  /** Changes of the original since, without those marked as small. */
  readonly behind: number
  /** Path of the original. */
  readonly translationOf: string
}

/** A translated document, with names of files from the site. */
interface Translation {
  /** Path without a closing slash. */
  readonly key: string
  readonly translationOf: string
  readonly file: string
  readonly original: string
  /** Folders of both. */
  readonly folders: readonly string[]
  /** Commit of the original that the translation names. */
  readonly source: string | null
}

interface SiteLocale {
  readonly siteDir: string
  /** Base path of the locale's pages, and of the originals. */
  readonly baseUrl: string
  readonly originalUrl: string
}

/** Status of translated documents by their paths, without a closing slash. */
export type TranslationStatuses = ReadonlyMap<string, TranslationStatus>

/** Reasons why translations cannot be compared with their originals. */
type Incomparable = 'translations_shallow' | 'translations_no_history'

/** Compares translated documents with their originals by the history of both, which one `git log` reads. */
export function readTranslations(
  allContent: unknown,
  locale: SiteLocale,
): TranslationStatuses | { readonly problem: Incomparable; readonly pages: number } {
  const { siteDir } = locale
  const translations = listTranslations(allContent, locale)
  const isShallow = askGit(siteDir, 'rev-parse', '--is-shallow-repository')?.trim()
  if (translations.length === 0 || isShallow === undefined) return new Map()
  const pages = translations.length
  if (isShallow === 'true') return { problem: 'translations_shallow', pages }
  const prefix = askGit(siteDir, 'rev-parse', '--show-prefix')?.trim() ?? ''
  const log = askGit(
    siteDir,
    ...LOG,
    'HEAD',
    '--',
    ...new Set(translations.flatMap(({ folders }) => folders)),
  )
  if (log === null) return { problem: 'translations_no_history', pages }
  const history = readHistory(log, prefix)
  return new Map(
    translations.flatMap((translation) => {
      const behind = changesSince(translation, history)
      return behind === null ? [] : [[translation.key, { behind, translationOf: translation.translationOf }]]
    }),
  )
}

function listTranslations(allContent: unknown, { siteDir, baseUrl, originalUrl }: SiteLocale): Translation[] {
  const within = (folder: unknown) => path.relative(siteDir, String(folder)).split(path.sep).join('/')
  return loadedDocs(allContent).flatMap(({ version, doc }) => {
    const file = String(field(doc, 'source')).replace(/^@site\//, '')
    const folders = [within(field(version, 'contentPath')), within(field(version, 'contentPathLocalized'))]
    const [from = '', to = ''] = folders
    const permalink = String(field(doc, 'permalink'))
    if (!file.startsWith(`${to}/`) || !permalink.startsWith(baseUrl)) return []
    const original = path.posix.join(from, file.slice(to.length))
    if (!existsSync(path.join(siteDir, original))) return []
    const source = field(field(doc, 'frontMatter'), 'source')
    return {
      key: pathKey(permalink),
      file,
      original,
      folders,
      source: typeof source === 'string' ? source : null,
      translationOf: decodeURI(originalUrl + permalink.slice(baseUrl.length)),
    }
  })
}

/** Every commit with its parents, and the files of these folders that it touched. */
const LOG = [
  'log',
  '--full-history',
  '--sparse',
  '--topo-order',
  '-z',
  '--format=%x01%H %P%x02%s',
  '--name-status',
  '-M',
  '--no-color',
  '--no-ext-diff',
  '--no-show-signature',
  '--diff-merges=off',
  '--end-of-options',
]

interface History {
  /** Parents of each commit by number, the newest first. */
  readonly parents: readonly (readonly number[])[]
  readonly numbers: ReadonlyMap<string, number>
  readonly isSmall: readonly boolean[]
  /** Numbers of the commits that touched each file of today, the newest first. */
  readonly touched: ReadonlyMap<string, readonly number[]>
}

/** Subjects of commits that change nothing to translate: slips of the pen, small edits, links. */
const SMALL =
  /\b(?:typos?|misspell\w*|spelling)\b|[([]minor\b|^minor\b|\bminor (?:fix|change|edit|wording|update)|\b(?:broken|dead|stale) links?\b|\b(?:fix|repair|correct|update)(?:es|ed|s)? (?:the |a |an )?links?\b|\blinks? fix|[([]links?[)\]]|誤字|脱字|誤植|誤記|軽微|表記(?:ゆれ|揺れ)|リンク(?:切れ|(?:の|を)?修正)/i
const MAX_SUBJECT_CHARS = 300

/** Reads the output of {@link LOG}; follows renamed files back to their earlier names. A new name alone is no change. */
function readHistory(log: string, prefix: string): History {
  const commits: { readonly hash: string; readonly parents: readonly string[]; readonly isSmall: boolean }[] =
    []
  const touched = new Map<string, number[]>()
  const today = new Map<string, string>()
  const touch = (name: string) => {
    const file = today.get(name) ?? name
    const own = touched.get(file) ?? []
    touched.set(file, own)
    own.push(commits.length - 1)
  }
  const within = (name: string) => path.posix.relative(prefix, name)
  for (const entry of readNameStatus(log)) {
    if ('header' in entry) {
      const [ids = '', subject = ''] = entry.header.split('\u0002')
      const [hash = '', ...parents] = ids.split(' ')
      commits.push({ hash, parents, isSmall: SMALL.test(subject.slice(0, MAX_SUBJECT_CHARS)) })
      continue
    }
    const [status, from, name] = [entry[0], within(entry[1]), within(entry[2])]
    if (from !== name) today.set(from, today.get(name) ?? name)
    if (status !== 'R100') touch(name)
  }
  const numbers = new Map(commits.map(({ hash }, number) => [hash, number]))
  const parents = commits.map((commit) => commit.parents.flatMap((hash) => numbers.get(hash) ?? []))
  return { parents, numbers, isSmall: commits.map(({ isSmall }) => isSmall), touched }
}

/** Number of changes of the original that the translation cannot have seen; null for a translation without a commit. */
function changesSince({ file, original, source }: Translation, history: History): number | null {
  const { touched, isSmall } = history
  const own = touched.get(file) ?? []
  const translated = own.find((number) => isSmall[number] !== true) ?? own.at(-1)
  const base = (source === null ? null : findCommit(source, history)) ?? translated
  if (base === undefined) return null
  const changes = (touched.get(original) ?? []).filter((number) => isSmall[number] !== true)
  if (changes.length === 0) return 0
  const seen = ancestorsOf(base, history)
  return changes.filter((number) => seen[number] !== 1).length
}

/** The one commit whose id begins like this; null for an unknown or ambiguous one. */
function findCommit(id: string, { numbers }: History): number | null {
  const whole = numbers.get(id)
  if (whole !== undefined) return whole
  let found: number | null = null
  for (const [hash, number] of numbers) {
    if (!hash.startsWith(id)) continue
    if (found !== null) return null
    found = number
  }
  return found
}

/** Marks a commit and every commit before it. */
function ancestorsOf(base: number, { parents }: History): Uint8Array {
  const seen = new Uint8Array(parents.length)
  const left = [base]
  seen[base] = 1
  for (let number = left.pop(); number !== undefined; number = left.pop())
    for (const parent of parents[number] ?? [])
      if (seen[parent] !== 1) {
        seen[parent] = 1
        left.push(parent)
      }
  return seen
}

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import type { Message } from '@sekisho/contract/language'
import { askGit, COMMIT, type GitFolder, readNameStatus } from './git-history.ts'
import { problemOf } from './texts/index.ts'

/** Present name of what was renamed, or null where it was removed, with the day of the commit. */
interface Move {
  readonly to: string | null
  readonly day: string
}

type Moves = ReadonlyMap<string, Move>

/** A page that holds a link; its address is null where only its file is known. */
interface LinkingPage {
  readonly source: string
  readonly permalink: string | null
}

/** Explains links to pages and headings that are not there by what became of them; null where Git does not know. */
export interface LinkHistory {
  ofPage(from: LinkingPage, target: string): Message | null
  ofHeading(source: string, anchor: string): Message | null
}

const LOG = ['-c', 'core.quotePath=false', 'log', '--no-color', '--no-ext-diff', '--no-show-signature', '-M']
const FROM = ['--relative', `--format=%x01%cs`, 'HEAD', '--']
const PATCHES = ['-p', '-U0', '--src-prefix=a/', '--dst-prefix=b/']
const SLUG = /^(?:slug|id):\s*['"]?(.+?)\/?['"]?\s*$/

/** Time for a site's history in all, beyond which links stay unexplained: a writer waits for it, and a thousand pages may hold broken links. */
const MAX_MS = 20_000

type Ask = (...args: readonly string[]) => string | null

/**
 * Reads the history of a site's sources once, when the first link is broken: files that were renamed or removed, and addresses that front matter gave.
 * @param addressOf address of a page by its source, relative to the site
 */
export function createLinkHistory(
  site: GitFolder,
  addressOf: (source: string) => string | undefined,
): LinkHistory {
  const folder = typeof site === 'string' ? { cwd: site } : site
  const dir = folder.cwd
  let leftMs = MAX_MS
  const ask: Ask = (...args) => {
    if (leftMs < 1) return null
    const fromMs = performance.now()
    const found = askGit({ ...folder, timeout: Math.ceil(leftMs) }, ...args)
    leftMs -= performance.now() - fromMs
    return found
  }
  const isThere = (name: string) => existsSync(path.join(dir, name))
  const ofHeadings = new Map<string, readonly Hunk[]>()
  let known: { readonly files: Moves; readonly slugs: Moves } | undefined
  const read = () => {
    known ??= { files: readRenames(ask, isThere), slugs: readSlugs(ask) }
    return known
  }

  return {
    ofPage({ source, permalink }, target) {
      const { files, slugs } = read()
      const asked = decodeOrSame(target.replace(/[?#].*$/s, ''))
      const isFile = /\.mdx?$/i.test(asked)
      const address = decodeOrSame(
        URL.parse(asked, `http://site.invalid${permalink ?? '/'}`)?.pathname ?? asked,
      )
      const from = path.posix.dirname(source)
      const names = [path.posix.join(from, asked), asked.replace(/^(?:@site)?\//, '')]
      const file = isFile
        ? names.find((name) => files.has(name))
        : nearestName(files.keys(), address, isThere)
      const slug = [...slugs].find(([text]) => address.replace(/\/$/, '').endsWith(text))?.[1]
      const move = files.get(file ?? '') ?? (isFile ? undefined : slug)
      if (move === undefined) return null
      const to = move.to === null || isThere(move.to) ? move.to : (files.get(move.to)?.to ?? null)
      if (to === null) return problemOf('page_removed', move.day)
      const present = isFile ? relativeName(from, to) : addressOf(to)
      return present === undefined ? null : problemOf('page_moved', present, move.day)
    },
    ofHeading(source, anchor) {
      const hunks = ofHeadings.get(source) ?? readHeadingHunks(ask, source)
      ofHeadings.set(source, hunks)
      const text = isThere(source) ? readFileSync(path.join(dir, source), 'utf8') : ''
      const move = renamedHeadings(hunks, text).get(decodeOrSame(anchor))
      if (move === undefined) return null
      return move.to === null
        ? problemOf('heading_removed', move.day)
        : problemOf('heading_renamed', `#${move.to}`, move.day)
    },
  }
}

/** Earlier names of files, the newest commit first: what was renamed twice leads to its last name. */
function readRenames(ask: Ask, isThere: (name: string) => boolean): Moves {
  const log = ask(...LOG, '--diff-filter=RD', '--name-status', '-z', ...FROM, '.')
  const moves = new Map<string, Move>()
  let day = ''
  for (const entry of readNameStatus(log ?? '')) {
    if ('header' in entry) {
      day = entry.header
      continue
    }
    const [, from, name] = entry
    const isRenamed = from !== name
    const kept = isRenamed && isThere(name) ? { to: name, day } : isRenamed ? moves.get(name) : undefined
    if (!moves.has(from) && !isThere(from)) moves.set(from, kept ?? { to: null, day })
  }
  return moves
}

/** Addresses that front matter no longer gives, with the file that had them. */
function readSlugs(ask: Ask): Moves {
  const moves = new Map<string, Move>()
  for (const { day, file, removed } of readPatches(
    ask(...LOG, '-G^(slug|id):', ...PATCHES, ...FROM, '*.md', '*.mdx'),
  ))
    for (const line of removed) {
      const slug = SLUG.exec(line)?.[1]
      if (slug !== undefined && slug !== '/' && !moves.has(slug))
        moves.set(`/${slug.replace(/^\//, '')}`, { to: file, day })
    }
  return moves
}

const readHeadingHunks = (ask: Ask, source: string): readonly Hunk[] =>
  readPatches(ask(...LOG, '--follow', '-G^#{1,6} ', ...PATCHES, ...FROM, source))

/** Ids of headings that a page no longer has, with those that took their place. */
function renamedHeadings(hunks: readonly Hunk[], text: string): Moves {
  const present = new Set(text.split('\n').flatMap(headingId))
  const moves = new Map<string, Move>()
  for (const { day, removed, added } of hunks) {
    const later = added.flatMap(headingId)
    for (const [at, id] of removed.flatMap(headingId).entries()) {
      const to = later[at] ?? later.at(-1) ?? null
      const kept = to === null ? undefined : present.has(to) ? { to, day } : moves.get(to)
      if (!moves.has(id) && !later.includes(id)) moves.set(id, kept ?? { to: null, day })
    }
  }
  return moves
}

interface Hunk {
  readonly day: string
  readonly file: string
  readonly removed: string[]
  readonly added: string[]
}

const NAME = /^(?:--- a|\+\+\+ b)\/(.*)/

/** Reads patches without context. */
function readPatches(log: string | null): readonly Hunk[] {
  const hunks: Hunk[] = []
  let day = ''
  let file = ''
  for (const line of (log ?? '').split('\n')) {
    if (line.startsWith(COMMIT)) day = line.slice(COMMIT.length)
    else if (/^(?:---|\+\+\+) (?:[ab]\/|\/dev\/null)/.test(line)) file = NAME.exec(line)?.[1]?.trim() ?? file
    else if (line.startsWith('@@ ')) hunks.push({ day, file, removed: [], added: [] })
    else if (line.startsWith('-')) hunks.at(-1)?.removed.push(line.slice(1))
    else if (line.startsWith('+')) hunks.at(-1)?.added.push(line.slice(1))
  }
  return hunks
}

/** Id of a heading as Docusaurus makes it of its text, unless it is written. */
function headingId(line: string): string | [] {
  const [, heading] = /^#{1,6}\s+(.+?)\s*#*\s*$/.exec(line) ?? []
  if (heading === undefined) return []
  const written = /\{\/?\*?\s*#([^}\s]+)\s*\*?\/?\}$/.exec(heading)?.[1]
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return written ?? text.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
}

/** Folders that hold a site's pages and are no part of their addresses. */
const ROOT =
  /^(?:i18n\/[^/]+\/[^/]+(?:\/current|\/version-[^/]+)?|[^/]+_versioned_docs\/[^/]+|versioned_docs\/[^/]+|src\/pages|[^/]+)\//

/** The file whose name fits the most of an address, which may begin with other folders than the file's unless the site has those. */
function nearestName(
  names: Iterable<string>,
  address: string,
  isThere: (name: string) => boolean,
): string | undefined {
  const asked = address.replace(/(?<=.)\/$/, '')
  const fits = (end: string | null) => end !== null && end !== '/' && asked.endsWith(end)
  const fitting = [...names].flatMap((name) => {
    const [whole, inner] = [pagePath(name), pagePath(name.replace(ROOT, ''))]
    const end = fits(whole) ? whole : fits(inner) ? inner : null
    const before = asked.slice(0, asked.length - (end ?? '').length).split('/')
    const isElsewhere = end !== whole && before.some((folder) => folder !== '' && isThere(folder))
    return end === null || isElsewhere ? [] : [{ name, length: end.length }]
  })
  return fitting.toSorted((one, other) => other.length - one.length)[0]?.name
}

/**
 * Path of a page as Docusaurus makes it of a file's name: without numbers that order files, and `index` or `README` as the folder. Null for
 * other files.
 */
export function pagePath(name: string): string | null {
  const [, bare] = /^(.*)\.mdx?$/.exec(name) ?? []
  if (bare === undefined) return null
  const segments = bare
    .replace(/(?<=^|\/)(\d{4})-(\d{2})-(\d{2})-/, '$1/$2/$3/')
    .split('/')
    .map((one) => one.replace(/^(?!\d+[-_.]\d+)\d+\s*[-_.]+\s*(?=[^-_.\s])/, ''))
  if (segments.length > 1 && /^(?:index|README)$/i.test(segments.at(-1) ?? '')) segments.pop()
  return `/${segments.join('/')}`
}

function relativeName(folder: string, name: string): string {
  const written = path.posix.relative(folder, name)
  return written.startsWith('.') ? written : `./${written}`
}

import { execFileSync } from 'node:child_process'
import type { ReleaseSource } from '@sekisho/release'

/** One commit of a page's source. Its subject is left out: the source may hold text of other editions. */
interface PageCommit {
  /** Full id. */
  readonly commit: string
  /** ISO 8601. */
  readonly at: string
  readonly author: string
  readonly committer: string
  /** Names of trailers such as `Reviewed-by`. */
  readonly approvers: string
}

const MAX_COMMITS = 1_000
const APPROVALS = ['Reviewed-by', 'Approved-by', 'Acked-by', 'Signed-off-by']
const FORMAT = [
  '%H',
  '%aI',
  '%an',
  '%cn',
  `%(trailers:${APPROVALS.map((key) => `key=${key}`).join(',')},valueonly,separator=%x3B%x20)`,
].join('%x00')

/**
 * Commits of a page's source up to the commit of the release, newest first; empty where Git does not know them. The source is the one
 * Markdown file whose name has the page's path, without an address of its own in the front matter.
 */
export function readPageHistory(
  path: string,
  site: string | null,
  source: ReleaseSource | undefined,
): readonly PageCommit[] {
  if (site === null || source === undefined) return []
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: site,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64e6,
    })
  try {
    const names = git('ls-tree', '-r', '-z', '--name-only', source.commit, '--', '.').split('\0')
    const file = findSource(names, path, (name) => git('show', `${source.commit}:./${name}`))
    if (file === null) return []
    const log = git(
      'log',
      '--follow',
      `-n${MAX_COMMITS}`,
      `--format=${FORMAT}%x1e`,
      source.commit,
      '--',
      file,
    )
    return log.split('\x1e').flatMap((line) => {
      const [commit = '', at = '', author = '', committer = '', approvers = ''] = line.trim().split('\0')
      return commit === '' ? [] : [{ commit, at, author, committer, approvers }]
    })
  } catch {
    return [] // no repository, no Git, or another clone
  }
}

/** Finds the one source of a page among the files of a site; null for none, for several, and for one with an address of its own. */
export function findSource(
  names: readonly string[],
  path: string,
  read: (name: string) => string,
): string | null {
  const [file, ...others] = names.filter((name) => isSourceOf(name, path))
  if (file === undefined || others.length > 0) return null
  const [, frontMatter = ''] = /^---\r?\n([\s\S]*?)\n---/.exec(read(file)) ?? []
  return /^(?:slug|id):/m.test(frontMatter) ? null : file
}

/** As Docusaurus names pages: without numbers that order files, and `index` or `README` as the folder. */
function isSourceOf(name: string, path: string): boolean {
  const [, bare] = /^(.*)\.mdx?$/.exec(name) ?? []
  if (bare === undefined) return false
  const segments = bare
    .split('/')
    .map((one) => one.replace(/^(?!\d+[-_.]\d+)\d+\s*[-_.]+\s*(?=[^-_.\s])/, ''))
  if (segments.length > 1 && /^(?:index|README)$/i.test(segments.at(-1) ?? '')) segments.pop()
  const own = path.replace(/(?<=.)\/$/, '')
  return own === `/${segments.join('/')}` || own === `/${segments.slice(1).join('/')}`
}

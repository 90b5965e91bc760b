import { askGit, pagePath } from '@sekisho/docusaurus/writing'
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
  const { commit } = source
  const names = askGit(site, 'ls-tree', '-r', '-z', '--name-only', commit, '--', '.')?.split('\0') ?? []
  const file = findSource(names, path, (name) => askGit(site, 'show', `${commit}:./${name}`) ?? '')
  if (file === null) return []
  const log = askGit(
    site,
    'log',
    '--follow',
    `-n${MAX_COMMITS}`,
    `--format=${FORMAT}%x1e`,
    commit,
    '--',
    file,
  )
  return (log ?? '').split('\x1e').flatMap((line) => {
    const [commit = '', at = '', author = '', committer = '', approvers = ''] = line.trim().split('\0')
    return commit === '' ? [] : [{ commit, at, author, committer, approvers }]
  })
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

function isSourceOf(name: string, path: string): boolean {
  const [own, whole] = [path.replace(/(?<=.)\/$/, ''), pagePath(name)]
  return own === whole || own === whole?.replace(/^\/[^/]+(?=\/|$)/, '').replace(/^$/, '/')
}

import { execFileSync } from 'node:child_process'

const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

/** A folder of a work tree; with variables that lead Git to its history where it lies elsewhere, and another limit in milliseconds. */
export type GitFolder =
  | string
  | { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly timeout?: number }

/** Output of a Git command in a folder; null where it fails, is longer than 64 MB or takes a minute, or there is no Git. */
export function askGit(folder: GitFolder, ...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      timeout: TIMEOUT_MS,
      ...(typeof folder === 'string' ? { cwd: folder } : folder),
      encoding: 'utf8',
      maxBuffer: MAX_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}

/**
 * Tells if Git can date the files under a folder. False outside a work tree, without Git, and in a shallow clone, which dates every older
 * file with the oldest fetched commit.
 */
export const hasCompleteHistory = (folder: string): boolean =>
  askGit(folder, 'rev-parse', '--is-inside-work-tree', '--is-shallow-repository')?.trim() === 'true\nfalse'

/** Before the header of each commit in the output of `git log`. */
export const COMMIT = '\u0001'

/** A commit's header, or a file that it touched: status letter with similarity, its name before, and its name after. */
type LogEntry = { readonly header: string } | readonly [status: string, from: string, name: string]

/** Reads `git log -z --name-status` whose format begins with {@link COMMIT}. */
export function* readNameStatus(log: string): Generator<LogEntry> {
  const parts = log.split('\0').map((part) => part.replace(/^\n/, ''))
  for (let at = 0; at < parts.length; at += 1) {
    const [part = '', first = '', second = ''] = parts.slice(at, at + 3)
    if (part.startsWith(COMMIT)) {
      yield { header: part.slice(COMMIT.length) }
      continue
    }
    if (!/^[A-Z]/.test(part)) continue
    const isRenamed = part.startsWith('R')
    yield [part, first, isRenamed ? second : first]
    at += isRenamed ? 2 : 1
  }
}

import { execFileSync } from 'node:child_process'

const MAX_BYTES = 64 * 1024 * 1024

/** Output of a Git command in a folder; null where it fails, is longer than 64 MB, or there is no Git. */
export function askGit(folder: string, ...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: folder,
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

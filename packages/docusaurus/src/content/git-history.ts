import { execFileSync } from 'node:child_process'

/**
 * Tells if Git can date the files under a folder. False outside a work tree, without Git, and in a shallow clone, which dates every older
 * file with the oldest fetched commit.
 */
export function hasCompleteHistory(folder: string): boolean {
  try {
    const answer = execFileSync('git', ['rev-parse', '--is-inside-work-tree', '--is-shallow-repository'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return answer.trim() === 'true\nfalse'
  } catch {
    return false
  }
}

import { execFileSync } from 'node:child_process'

/**
 * Whether Git can date the files under a folder. False outside a work tree, where Git is missing, and in a
 * shallow clone, where every older file would seem to have changed in the oldest commit that was fetched.
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

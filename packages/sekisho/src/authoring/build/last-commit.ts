import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ReleaseSource } from '@sekisho/release'

const FORMAT = ['%H', '%an', '%s'].join('%x00')

/** The last commit that touched a folder; undefined where Git knows none. */
export async function lastCommit(folder: string): Promise<ReleaseSource | undefined> {
  try {
    const git = await promisify(execFile)('git', ['log', '-1', `--format=${FORMAT}`, '--', '.'], {
      cwd: folder,
    })
    const [commit, author, subject] = git.stdout.trimEnd().split('\0')
    return commit && author !== undefined && subject !== undefined ? { commit, author, subject } : undefined
  } catch {
    return undefined
  }
}

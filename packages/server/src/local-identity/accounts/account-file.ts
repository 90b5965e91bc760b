import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Account, readAccount, toUserInfo } from './account.ts'

/** Keeps accounts across restarts; edits of the file apply to a running service. */
export interface AccountFile {
  /** Content of the file if it changed since the last read; null without a readable change. */
  readChanges(): Promise<readonly Account[] | null>
  /** Replaces the file in one step; a failure is a warning, because signing in must go on. */
  write(accounts: readonly Account[]): Promise<void>
}

/** Without a file nothing is kept and nothing can fail. */
export function createAccountFile(
  file: string | undefined,
  onWarning: (message: string) => void,
): AccountFile {
  if (file === undefined) return { readChanges: async () => null, write: async () => {} }
  let known: string | null = null
  return {
    readChanges: async () => {
      const version = await readVersion(file)
      if (version === known) return null
      known = version
      if (version === null) return null
      try {
        return parse(await readFile(file, 'utf8'))
      } catch {
        onWarning(`Local accounts in ${file} could not be read; going on with those known before.`)
        return null
      }
    },
    write: async (accounts) => {
      try {
        await replace(file, accounts)
      } catch {
        onWarning(`Local accounts could not be written to ${file}; they last until the next restart.`)
      }
    },
  }
}

/** Changes with every change of the file; null while there is none. */
async function readVersion(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found === null ? null : `${found.ino}:${found.mtimeMs}:${found.size}`
}

async function replace(file: string, accounts: readonly Account[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  const entries = accounts.map((account) => ({ ...toUserInfo(account), disabled: account.disabled }))
  await writeFile(draft, JSON.stringify(entries, null, 2), { mode: 0o600 })
  await rename(draft, file)
}

function parse(text: string): readonly Account[] {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new Error('not a list')
  return value.map(readAccount).filter((account) => account !== null)
}

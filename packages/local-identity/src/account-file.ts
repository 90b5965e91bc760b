import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Account, readAccount, writeAccount } from './emulator/account.ts'

/** Keeps accounts across restarts, so that a signed-in reader stays signed in and made-up accounts remain. */
export interface AccountFile {
  /** An empty list when there is nothing readable yet. */
  read(): Promise<readonly Account[]>
  write(accounts: readonly Account[]): Promise<void>
}

/** Without a file nothing is kept and nothing can fail. */
export function createAccountFile(
  file: string | undefined,
  onWarning: (message: string) => void,
): AccountFile {
  if (file === undefined) return { read: async () => [], write: async () => {} }
  let lastWrite: Promise<void> = Promise.resolve()
  return {
    read: async () => {
      try {
        return parse(await readFile(file, 'utf8'))
      } catch (error) {
        if (!isMissing(error)) onWarning(`Local accounts in ${file} could not be read; starting afresh.`)
        return []
      }
    },
    write: (accounts) => {
      lastWrite = lastWrite
        .then(() => replace(file, accounts))
        .catch(() =>
          onWarning(`Local accounts could not be written to ${file}; they last until the next restart.`),
        )
      return lastWrite
    },
  }
}

async function replace(file: string, accounts: readonly Account[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  await writeFile(draft, JSON.stringify(accounts.map(writeAccount), null, 2), { mode: 0o600 })
  await rename(draft, file)
}

function parse(text: string): readonly Account[] {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new Error('not a list')
  return value.map(readAccount).filter((account) => account !== null)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

import { readFile, writeFile } from 'node:fs/promises'
import { createLocalIdentity } from '../../src/local-identity/index.ts'

export interface Call {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One of the two services that are compared. */
export interface Peer {
  ask(call: Call): Promise<Response>
  /** Administrator's changes to an account. */
  readonly directory: {
    disable(localId: string): Promise<void>
    remove(localId: string): Promise<void>
  }
}

export const ORIGIN = 'http://localhost:3000'

/** Our service, whose administrator edits the file of accounts. */
export async function startOwn(projectId: string, accountsFile: string): Promise<Peer> {
  const identity = await createLocalIdentity({
    projectId,
    origin: ORIGIN,
    accountsFile,
    env: {},
    now: () => Date.now(), // as it is when asked: the test moves the clock
  })
  type Entry = Record<string, unknown>
  const edit = async (change: (entries: Entry[]) => Entry[]): Promise<void> => {
    const entries: Entry[] = JSON.parse(await readFile(accountsFile, 'utf8'))
    await writeFile(accountsFile, JSON.stringify(change(entries)))
  }
  return {
    ask: ({ path, ...init }) => identity.handle(new Request(`${ORIGIN}${path}`, init)),
    directory: {
      disable: (localId) =>
        edit((entries) =>
          entries.map((entry) => (entry.localId === localId ? { ...entry, disabled: true } : entry)),
        ),
      remove: (localId) => edit((entries) => entries.filter((entry) => entry.localId !== localId)),
    },
  }
}

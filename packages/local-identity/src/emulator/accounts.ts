import { type Account, isRecord, readAccount, writeAccount } from './account.ts'
import type { Answer, Dispatcher } from './dispatcher.ts'

/** The emulator's records, read and changed with its administrator credential. */
export interface Accounts {
  find(localId: string): Promise<Account | null>
  list(): Promise<readonly Account[]>
  add(accounts: readonly Account[]): Promise<void>
  setDisabled(localId: string, disabled: boolean): Promise<void>
  remove(localId: string): Promise<void>
}

/** The emulator takes this word for an administrator; it is never accepted from outside this process. */
const ADMIN = { authorization: 'Bearer owner', 'content-type': 'application/json' }

export function createAccounts(emulator: Dispatcher, projectId: string): Accounts {
  const base = `/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`
  const post = async (action: string, body: unknown): Promise<Record<string, unknown>> =>
    readBody(
      await emulator.call({
        method: 'POST',
        path: `${base}:${action}`,
        headers: ADMIN,
        body: JSON.stringify(body),
      }),
      action,
    )
  return {
    find: async (localId) => readUsers(await post('lookup', { localId: [localId] }))[0] ?? null,
    list: async () => {
      const answer = await emulator.call({
        method: 'GET',
        path: `${base}:batchGet?maxResults=1000`,
        headers: { authorization: ADMIN.authorization },
      })
      return readUsers(readBody(answer, 'batchGet'))
    },
    add: async (accounts) => {
      const { error } = await post('batchCreate', { users: accounts.map(writeAccount), allowOverwrite: true })
      if (Array.isArray(error) && error.length > 0) throw new Error('The emulator refused some accounts')
    },
    setDisabled: async (localId, disabled) => {
      await post('update', { localId, disableUser: disabled })
    },
    remove: async (localId) => {
      await post('delete', { localId })
    },
  }
}

function readBody(answer: Answer, action: string): Record<string, unknown> {
  if (answer.status === 200 && isRecord(answer.body)) return answer.body
  throw new Error(`The emulator answered ${answer.status} to accounts:${action}`)
}

function readUsers(body: Record<string, unknown>): readonly Account[] {
  const users = Array.isArray(body.users) ? body.users : []
  return users.map(readAccount).filter((account) => account !== null)
}

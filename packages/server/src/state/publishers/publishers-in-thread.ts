import { startEngineThread, type ThreadOptions } from '../threads/engine-thread.ts'
import type { PublisherStore } from './publisher-store.ts'

/** Opens the store of one machine in a thread of its own: a token that is spent is synced, and no reader waits for that. */
export async function openSqlitePublishersInThread(
  file: string,
  options: ThreadOptions = {},
): Promise<PublisherStore> {
  const thread = await startEngineThread({ kind: 'publishers', file }, options)
  /** Result of the thread's method of the same name. */
  const ask = <Name extends keyof PublisherStore>(name: Name, args: Parameters<PublisherStore[Name]>) =>
    thread.call('publishers', name, args) as ReturnType<PublisherStore[Name]>
  return {
    spend: (...args) => ask('spend', args),
    forgetSpent: (...args) => ask('forgetSpent', args),
    findToken: (...args) => ask('findToken', args),
    hasToken: (...args) => ask('hasToken', args),
    addToken: (...args) => ask('addToken', args),
    listTokens: () => ask('listTokens', []),
    removeToken: (...args) => ask('removeToken', args),
    close: thread.close,
  }
}

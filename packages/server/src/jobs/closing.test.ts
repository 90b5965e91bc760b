import { describe, expect, it } from 'vitest'
import { type ClosingOptions, closeInTime } from './closing.ts'

const never = () => new Promise<never>(() => {})

async function close(
  work: () => Promise<void>,
  leave: () => Promise<boolean>,
  more: Partial<ClosingOptions> = {},
) {
  const said: unknown[] = []
  const health = () => ({ state: 'holding', waiting: 3, lagMs: 9, held: 0, restored: 0 }) as const
  const isClosed = await closeInTime(work, {
    audit: { health, leave },
    log: (level, event, { kept, auditLines } = {}) => said.push([level, event, auditLines, kept]),
    drop: () => said.push('dropped'),
    closeMs: 20,
    ...more,
  })
  return { isClosed, said }
}

describe('a gate that closes', () => {
  it('says nothing, and leaves nothing, where everything closes', async () => {
    const left = () => Promise.reject(new Error('nobody should be asked'))
    expect(await close(async () => {}, left)).toEqual({ isClosed: true, said: [] })
  })

  it('fails as what it closes does', async () => {
    await expect(close(() => Promise.reject(new Error('no such table')), never)).rejects.toThrow(
      'no such table',
    )
  })

  it.each([
    ['the system takes the lines', async () => true, 'handed to the system: only a power cut takes them'],
    ['they are in a database', async () => false, 'lost'],
    ['the file is gone', () => Promise.reject(new Error('cut or replaced')), 'lost'],
    ['nobody answers at all', never, 'lost'],
  ])('waits no longer than it may: %s', async (_row, leave, kept) => {
    const said = [['error', 'closing_given_up', 3, kept]]
    expect(await close(never, leave)).toEqual({ isClosed: false, said })
  })

  it('drops in a hurry what is under way, and writes what was answered', async () => {
    const hurry = new AbortController()
    const dropped = Promise.withResolvers<void>()
    const closing = close(() => dropped.promise, never, {
      closeMs: 60_000,
      drop: dropped.resolve,
      hurry: hurry.signal,
    })
    hurry.abort()
    expect(await closing).toEqual({ isClosed: true, said: [] })
  })

  it('waits in a hurry no longer than it may', async () => {
    const hurry = new AbortController()
    const closing = close(never, async () => true, { hurry: hurry.signal })
    hurry.abort()
    const said = [
      'dropped',
      ['error', 'closing_given_up', 3, 'handed to the system: only a power cut takes them'],
    ]
    expect(await closing).toEqual({ isClosed: false, said })
  })
})

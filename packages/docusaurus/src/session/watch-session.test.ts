import type { Reader } from '@sekisho/contract/session-response'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionStatus } from './session-api.ts'
import { createSessionStore } from './session-store.ts'
import { FIRST_CHECK_MS, POLL_MS, type WatchedTab, watchSession } from './watch-session.ts'

const TARO: Reader = { email: 'taro@example.com', name: '関所 太郎' }
const SIGNED_OUT: SessionStatus = { kind: 'signed-out' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('watchSession', () => {
  it('knows the reader from the cookie without asking', () => {
    const { store, ask } = watched({ cookie: TARO })
    expect(store.get()).toEqual({ status: 'signed-in', ...TARO, isSignInConfigured: true })
    expect(ask).not.toHaveBeenCalled()
  })

  it('asks when there is no cookie, and stays undecided without an answer', async () => {
    const { store, ask } = watched({ cookie: null, answer: { kind: 'unknown' } })
    await vi.advanceTimersByTimeAsync(0)
    expect(ask).toHaveBeenCalledOnce()
    expect(store.get().status).toBe('loading')
  })

  it('learns soon after the page is drawn that sign-in is not configured', async () => {
    const answer = { kind: 'signed-in', reader: TARO, isSignInConfigured: false, release: null } as const
    const { store } = watched({ cookie: TARO, answer })
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_MS)
    expect(store.get()).toEqual({ status: 'signed-in', ...TARO, isSignInConfigured: false })
  })

  it('leaves when the gate says that the session is over', async () => {
    const { store, tab } = watched({ cookie: TARO, answer: SIGNED_OUT })
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_MS)
    expect(tab.leave).toHaveBeenCalledOnce()
    expect(store.get().status).toBe('signed-out')
  })

  it('asks nothing while hidden, and at once when looked at again', async () => {
    const { ask, tab } = watched({ cookie: TARO })
    tab.document.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect(ask).not.toHaveBeenCalled()
    tab.document.visibilityState = 'visible'
    for (let look = 0; look < 5; look += 1) tab.document.dispatchEvent(new Event('visibilitychange'))
    expect(ask).toHaveBeenCalledOnce()
  })

  it('asks when its window is looked at again, and once more a little later when it had just asked', async () => {
    const { ask, tab } = watched({ cookie: TARO })
    tab.window.dispatchEvent(new Event('focus'))
    tab.window.dispatchEvent(new Event('focus'))
    expect(ask).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('passes on which release is being served', async () => {
    const { tab } = watched({ cookie: TARO })
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_MS)
    expect(tab.noteRelease).toHaveBeenCalledWith('r2')
  })

  it('leaves when another tab signs out', () => {
    const { tab } = watched({ cookie: TARO })
    tab.channel.dispatchEvent(Object.assign(new Event('message'), { data: { type: 'other' } }))
    expect(tab.leave).not.toHaveBeenCalled()
    tab.channel.dispatchEvent(Object.assign(new Event('message'), { data: { type: 'signed-out' } }))
    expect(tab.leave).toHaveBeenCalledOnce()
  })

  it('leaves a page that Back brought out of the cache after the sign-out', () => {
    const { tab, setCookie } = watched({ cookie: TARO })
    setCookie(null)
    tab.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(tab.leave).not.toHaveBeenCalled()
    tab.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect(tab.leave).toHaveBeenCalledOnce()
  })

  it('leaves nothing behind for that cache when left after the sign-out', () => {
    const { store, tab } = watched({ cookie: TARO })
    tab.window.dispatchEvent(new Event('pagehide'))
    expect(tab.clear).not.toHaveBeenCalled()
    store.set({ status: 'signed-out' })
    tab.window.dispatchEvent(new Event('pagehide'))
    expect(tab.clear).toHaveBeenCalledOnce()
  })

  it('does nothing any more once stopped', async () => {
    const { ask, stop, tab } = watched({ cookie: TARO, answer: SIGNED_OUT })
    stop()
    tab.document.dispatchEvent(new Event('visibilitychange'))
    tab.window.dispatchEvent(new Event('focus'))
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(ask).not.toHaveBeenCalled()
  })
})

function watched(setting: { cookie: Reader | null; answer?: SessionStatus }) {
  let { cookie } = setting
  const ask = vi.fn(
    async (): Promise<SessionStatus> =>
      setting.answer ?? { kind: 'signed-in', reader: TARO, isSignInConfigured: true, release: 'r2' },
  )
  const visibilityState: DocumentVisibilityState = 'visible'
  const tab = {
    document: Object.assign(new EventTarget(), {
      visibilityState: visibilityState as DocumentVisibilityState,
    }),
    window: new EventTarget(),
    channel: new EventTarget(),
    readReader: () => cookie,
    ask,
    noteRelease: vi.fn(),
    leave: vi.fn(),
    clear: vi.fn(),
    now: () => Date.now(),
  } satisfies WatchedTab
  const store = createSessionStore()
  const stop = watchSession(store, tab)
  const setCookie = (next: Reader | null): void => {
    cookie = next
  }
  return { store, tab, ask, stop, setCookie }
}

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const GONE = new Response(null, { status: 204 })

beforeEach(() => {
  vi.resetModules()
  vi.stubEnv('NODE_ENV', 'production') // as in a built site, which has a gate in front of it
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

it('signs out, tells the other tabs, then calls back', async () => {
  const order: string[] = []
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    order.push(`${method}`)
    return GONE
  })
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage({ type }: { type: string }) {
        order.push(type)
      }
    },
  )
  const { sessionStore } = await import('./tab-session.ts')
  const { signOut } = await import('./sign-out.ts')
  await signOut(() => order.push('callback'))
  expect(order).toEqual(['DELETE', 'signed-out', 'callback'])
  expect(sessionStore.get()).toEqual({ status: 'signed-out' })
})

it('needs no callback', async () => {
  vi.stubGlobal('fetch', async () => GONE)
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
    },
  )
  const { signOut } = await import('./sign-out.ts')
  await expect(signOut()).resolves.toBeUndefined()
})

it('does not call back, and stays signed in, when the gate cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  const { sessionStore } = await import('./tab-session.ts')
  const { signOut } = await import('./sign-out.ts')
  const callback = vi.fn()
  await expect(signOut(callback)).rejects.toMatchObject({ code: 'SIGN_OUT_FAILED' })
  expect(callback).not.toHaveBeenCalled()
  expect(sessionStore.get().status).not.toBe('signed-out')
})

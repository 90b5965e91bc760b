import { FIREBASE } from '@sekisho/contract/firebase'
import { describe, expect, it } from 'vitest'
import { createHelperProxy } from '../../identity/testing/index.ts'
import { answerOf, createTestGate, ORIGIN } from '../../testing/test-gate.ts'

async function askThrough(path: string, answer: () => Response, init: RequestInit = {}, times = 1) {
  const asked: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, options) => {
    asked.push(new Request(input instanceof URL ? input.href : input, { ...options, redirect: 'follow' }))
    return answer()
  }
  await using portal = await createTestGate({
    endpoints: [createHelperProxy({ projectId: 'portal-1234', fetch, now: () => 0 })],
  })
  for (let count = 1; count < times; count += 1) await portal.ask(path, init)
  return { response: await portal.ask(path, init), asked }
}

const page = () =>
  new Response('<script>helper</script>', {
    headers: {
      'Content-Type': 'text/html',
      'Set-Cookie': 'upstream=1',
      'X-Upstream': '1',
      'Cache-Control': 'max-age=60',
    },
  })

/** An endless body, sent while it is read. */
const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
const brokenOff = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError('terminated')) })

describe('the helper proxy', () => {
  it.each(FIREBASE.paths)(
    'serves %s from the project, framable by us and able to reach its opener',
    async (path) => {
      const { response, asked } = await askThrough(`${path}?apiKey=k`, page)
      expect(asked[0]?.url).toBe(`https://portal-1234.firebaseapp.com${path}?apiKey=k`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
      expect(response.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
      expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(response.headers.get('cache-control')).toBe('private, max-age=60')
    },
  )

  it('passes no cookie, credential or foreign header either way', async () => {
    const headers = {
      Cookie: '__Host-sekisho=secret',
      Authorization: 'Bearer owner',
      'X-Forwarded-For': '10.0.0.1',
    }
    const { response, asked } = await askThrough('/__/auth/handler', page, { headers })
    const sent = JSON.stringify([...(asked[0]?.headers ?? [])])
    for (const secret of ['secret', 'owner', '10.0.0.1']) expect(sent).not.toContain(secret)
    expect(response.headers.has('set-cookie')).toBe(false)
    expect(response.headers.has('x-upstream')).toBe(false)
  })

  it.each([
    '/__/auth/handler/',
    '/__/auth/handler/../../docs',
    '/__/auth/action',
    '/__/',
    '/__/auth/handler%2F',
    '/__/firebase/init.js',
  ])('does not serve %s', async (path) => {
    const { response, asked } = await askThrough(path, page)
    expect([response.status, asked.length]).toEqual([401, 0])
  })

  it.each([
    ['a redirect', () => Response.redirect('https://evil.test/')],
    ['a fault', () => new Response('secret', { status: 500 })],
    [
      'no network',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
    ['a page without end', () => new Response(endless())],
    ['a page that breaks off', () => new Response(brokenOff())],
  ])('answers 503 to %s', async (_row, answer) => {
    const { response } = await askThrough('/__/auth/iframe', answer)
    expect(await answerOf(response)).toEqual([503, 'identity_unavailable'])
  })

  it.each([
    ['no word about it', () => new Response('')],
    [
      'a page that is not there',
      () => new Response('', { status: 404, headers: { 'Cache-Control': 'max-age=9' } }),
    ],
  ])('lets nobody keep %s', async (_row, answer) => {
    const { response } = await askThrough('/__/auth/iframe', answer)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('does not pass a flood on', async () => {
    const { response, asked } = await askThrough(
      '/__/auth/iframe',
      () => new Response('nobody may keep it'),
      {},
      601,
    )
    expect([response.status, asked.length]).toEqual([429, 600])
  })

  it('asks once for what may be kept, and again when its time is over', async () => {
    let nowMs = 0
    let asked = 0
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1
      return page()
    }
    const identityRoutes = createHelperProxy({ projectId: 'portal-1234', fetch, now: () => nowMs })
    await using portal = await createTestGate({ endpoints: [identityRoutes] })
    const read = async () => {
      const response = await portal.ask('/__/auth/iframe.js')
      expect(await response.text()).toBe('<script>helper</script>')
      return response.headers.get('cache-control')
    }
    expect(await read()).toBe('private, max-age=60')
    nowMs = 45_000
    expect([await read(), asked]).toEqual(['private, max-age=15', 1])
    nowMs = 60_000
    expect([await read(), asked]).toEqual(['private, max-age=60', 2])
    nowMs = 0 // set back
    expect([await read(), asked]).toEqual(['private, max-age=60', 3])
  })

  it.each([
    ['the same page', () => '', 1],
    ['pages told apart by their query only', (n: number) => `?eid=${n}`, 64],
  ])('400 requests at once for %s share requests, bytes and a few connections', async (_row, query, most) => {
    let asked = 0
    let open = 0
    let mostOpen = 0
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1
      mostOpen = Math.max(mostOpen, ++open)
      await new Promise((resolve) => setTimeout(resolve, 5))
      open -= 1
      return new Response(new Uint8Array(1_000_000))
    }
    const identityRoutes = createHelperProxy({ projectId: 'portal-1234', fetch, now: () => 0 })
    await using portal = await createTestGate({ endpoints: [identityRoutes] })
    globalThis.gc?.()
    const before = process.memoryUsage().arrayBuffers
    const asking = Array.from({ length: 400 }, (_, n) => portal.ask(`/__/auth/handler.js${query(n)}`))
    const answers = await Promise.all(asking)
    const held = process.memoryUsage().arrayBuffers - before
    expect(asked).toBeLessThanOrEqual(most)
    expect(mostOpen).toBeLessThanOrEqual(4)
    expect(held).toBeLessThan(150_000_000) // 400 of them were 400 MB, and as much again in copies
    expect(answers.filter(({ status }) => status === 200).length).toBe(most === 1 ? 400 : most)
  })

  it('lets one client’s many pages of a slow service delay no other client', async () => {
    const held: (() => void)[] = []
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input))
      await new Promise<void>((resolve) => held.push(resolve))
      return page()
    }
    const identityRoutes = createHelperProxy({ projectId: 'portal-1234', fetch, now: () => 0 })
    await using portal = await createTestGate({ endpoints: [identityRoutes] })
    const from = (clientAddress: string, query: string) => {
      const request = new Request(`${ORIGIN.origin}/__/auth/handler?${query}`)
      return Promise.resolve(portal.gate(request, { clientAddress }))
    }
    const flood = Array.from({ length: 300 }, (_, n) => from('192.0.2.1', `flood=${n}`))
    const colleague = from('192.0.2.2', 'colleague')
    await expect.poll(() => held.length).toBe(4)
    held.shift()?.() // one answer of the slow service
    await expect.poll(() => asked.length).toBe(5)
    held.shift()?.()
    await expect.poll(() => asked.at(-1)).toContain('colleague') // behind one page of the flood, not behind sixty
    held.splice(-1)[0]?.()
    expect((await colleague).status).toBe(200)

    const drain = setInterval(() => held.splice(0).forEach((answer) => void answer()), 1)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    clearInterval(drain)
    expect(statuses.filter((status) => status === 200)).toHaveLength(64)
  })

  it.each([
    ['a frame of our login page', { Site: 'same-origin', Mode: 'navigate', Dest: 'iframe' }, 200],
    ['a script of a helper page', { Site: 'same-origin', Mode: 'no-cors', Dest: 'script' }, 200],
    ['the window our page opened', { Site: 'same-origin', Mode: 'navigate', Dest: 'document' }, 200],
    ['the way back from Google', { Site: 'cross-site', Mode: 'navigate', Dest: 'document' }, 200],
    ['an address typed in', { Site: 'none', Mode: 'navigate', Dest: 'document' }, 200],
    ['34 a frame of another site', { Site: 'cross-site', Mode: 'navigate', Dest: 'iframe' }, 403],
    ['34 a script tag of another site', { Site: 'cross-site', Mode: 'no-cors', Dest: 'script' }, 403],
    ['34 a fetch of a sibling host', { Site: 'same-site', Mode: 'cors', Dest: 'empty' }, 403],
  ])('answers %s', async (_row, metadata, status) => {
    const headers = Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`Sec-Fetch-${name}`, value]),
    )
    const { response, asked } = await askThrough('/__/auth/handler', page, { headers })
    expect([response.status, asked.length]).toEqual([status, status === 200 ? 1 : 0])
  })

  it('is read only', async () => {
    const { response } = await askThrough('/__/auth/handler', page, { method: 'POST' })
    expect(response.status).toBe(405)
  })
})

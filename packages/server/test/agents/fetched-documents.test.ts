import { describe, expect, it } from 'vitest'
import { somebody } from '../../src/identity/testing/index.ts'
import { createTestClient } from '../../src/testing/test-client.ts'
import { createTestGate } from '../../src/testing/test-gate.ts'

const ID = 'https://client.example/oauth/client.json'
const LISTED = { own: new Map(), allowed: new Set(['client.example', 'claude.ai']) }
const DOCUMENT = { client_id: ID, client_name: 'Some Agent', redirect_uris: ['http://localhost/cb'] }

describe('77 documents are fetched', () => {
  it('for readers who are signed in, kept as long as they say, and never for a client that is known', async () => {
    const fetched: string[] = []
    await using portal = await createTestGate({
      agentRules: LISTED,
      fetchDocument: async ({ href }) => {
        fetched.push(href)
        return { text: JSON.stringify(DOCUMENT), maxAgeMs: 60_000 }
      },
    })
    const client = createTestClient(portal)
    const asked = { client_id: ID, redirect_uri: 'http://localhost:7/cb' }
    const posted = await portal.ask('/oauth/token', { method: 'POST', body: client.query(asked) })
    expect([(await client.show('', asked)).status, posted.status, fetched]).toEqual([401, 400, []])
    const cookie = await portal.signIn(somebody())
    expect((await client.show(cookie)).status).toBe(200)
    expect(fetched).toEqual([])
    const page = await client.show(cookie, asked)
    expect(await page.text()).toContain('client.example')
    await client.show(cookie, asked)
    portal.state.nowMs += 60_000
    await client.show(cookie, asked)
    expect(fetched).toEqual([ID, ID])
  })

  it('of no host but those of known clients, unless the operator names others', async () => {
    const fetched: string[] = []
    await using portal = await createTestGate({
      fetchDocument: async ({ href }) => {
        fetched.push(href)
        return null
      },
    })
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const others = ['https://slow.example/client.json', 'https://claude.ai.slow.example/client.json']
    const known = 'https://chatgpt.com/oauth/another/client.json'
    for (const id of [...others, known]) await client.show(cookie, { client_id: id })
    expect(fetched).toEqual([known])
  })

  it('two at a time, one for a reader', async () => {
    const waiting: (() => void)[] = []
    await using portal = await createTestGate({
      agentRules: LISTED,
      fetchDocument: () => new Promise((resolve) => waiting.push(() => resolve(null))),
    })
    const client = createTestClient(portal)
    const ids = Array.from({ length: 28 }, (_, at) => `https://client.example/${at}.json`)
    const attacker = await portal.signIn(somebody())
    const flood = ids.map((id) => client.show(attacker, { client_id: id }))
    await Promise.race(flood) // all but the first are refused at once
    expect(waiting.length).toBe(1)
    const others = ['b', 'c', 'd'].map(async () => {
      const cookie = await portal.signIn(somebody())
      return client.show(cookie, { client_id: ID })
    })
    await expect.poll(() => waiting.length).toBe(2)
    while (waiting.length > 0) {
      waiting.shift()?.()
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(waiting.length).toBeLessThanOrEqual(2)
    }
    await Promise.all([...flood, ...others])
  })
})

import { somebody } from '@sekisho/identity/testing'
import { describe, expect, it } from 'vitest'
import { createTestClient } from '../../src/testing/test-client.ts'
import { createTestGate } from '../../src/testing/test-gate.ts'

const ID = 'https://client.example/oauth/client.json'
const DOCUMENT = { client_id: ID, client_name: 'Some Agent', redirect_uris: ['http://localhost/cb'] }

describe('77 documents are fetched', () => {
  it('for readers who are signed in, kept as long as they say, and never for a client that is known', async () => {
    const fetched: string[] = []
    await using portal = await createTestGate({
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
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteAcknowledgements } from '../../state/acknowledgements/index.ts'
import { createTestGate, ORIGIN } from '../../testing/test-gate.ts'
import { createWatches } from './watches.ts'

const ACCOUNT = '/__gate/account'

async function openGate() {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-watches-'))
  const { notices, close } = openSqliteAcknowledgements(join(folder, 'records.db'))
  const watches = createWatches({ notices, now: () => 1_000 })
  const portal = await createTestGate({ watches })
  const cookie = await portal.signIn({ sub: 'a', email: 'a@example.co.jp' })
  const act = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN.origin }
    const init = { method: 'POST', headers: { Cookie: cookie, ...form, ...headers } }
    return (await portal.ask('/__gate/watches', { ...init, body: String(new URLSearchParams(fields)) }))
      .status
  }
  const page = async () => (await portal.ask(ACCOUNT, { headers: { Cookie: cookie } })).text()
  const list = async () =>
    (await notices.listWatches(null, 9)).map(({ email, folders }) => ({ email, folders }))
  return {
    ...{ act, page, list, portal },
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]()
      await close()
      await rm(folder, { recursive: true })
    },
  }
}

it('a reader is told of a folder from the account page, without a script, until they end it', async () => {
  await using gate = await openGate()
  expect(await gate.page()).toContain('<option value="/docs/">/docs/</option>')
  expect(await gate.act({ action: 'add', folder: '/docs/' })).toBe(303)
  expect(await gate.list()).toEqual([{ email: 'a@example.co.jp', folders: ['/docs/'] }])
  expect(await gate.page()).not.toContain('<option value="/docs/">')
  expect(await gate.act({ action: 'end', folder: '/docs/' })).toBe(303)
  expect(await gate.list()).toEqual([])
})

it('takes only folders of the edition that is read, and forms of our own', async () => {
  await using gate = await openGate()
  for (const folder of ['/secret/', '', '/docs', '/docs/../', '//'])
    expect([folder, await gate.act({ action: 'add', folder })]).toEqual([folder, 400])
  expect(await gate.act({ action: 'both', folder: '/docs/' })).toBe(400)
  expect(await gate.act({ action: 'add', folder: '/docs/' }, { Origin: 'https://evil.test' })).toBe(403)
  expect(await gate.list()).toEqual([])
})

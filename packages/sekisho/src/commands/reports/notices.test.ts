import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestBuild } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { expect, it } from 'vitest'
import { sayTo } from '../../language.ts'
import { checkNotices } from '../check/checks/notices.ts'
import { runNotices } from './notices.ts'

const SETTINGS = {
  ...{ SEKISHO_ORIGIN: 'https://docs.example.co.jp', SEKISHO_TRUSTED_PROXIES: '192.0.2.1' },
  ...{ SEKISHO_SECRET: 's'.repeat(32), SEKISHO_ALLOWED_DOMAINS: 'example.co.jp', SEKISHO_LANG: 'en' },
  ...{ FIREBASE_API_KEY: 'k', FIREBASE_AUTH_DOMAIN: 'docs.firebaseapp.com', FIREBASE_PROJECT_ID: 'docs' },
}

async function run(args: readonly string[], env: Record<string, string>) {
  const said: string[] = []
  const add = (line: string) => void said.push(line)
  const io = { env: { ...SETTINGS, ...env }, cwd: '/nowhere', clock: Date.now, print: add, complain: add }
  return { exitCode: await runNotices(args, io), said: said.join('\n') }
}

it('sends one message without a page, and says who took it and who did not', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(request.url === '/hook' ? 200 : 500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const slack = (path: string, hosts: string) => ({
    ...{ SEKISHO_NOTICES_WEBHOOK: `http://127.0.0.1:${port}${path}`, SEKISHO_NOTICES_FORMAT: 'slack' },
    SEKISHO_NOTICES_PRIVATE_HOSTS: hosts,
  })
  const sent = await run(['test'], slack('/hook', '127.0.0.1'))
  expect(sent).toEqual({ exitCode: 0, said: `127.0.0.1:${port} took the test message` })
  expect(JSON.parse(bodies[0] ?? '')).toEqual({
    text: '<https://docs.example.co.jp/|Sekisho: sekisho notices test の試し送信>',
    unfurl_links: false,
  })
  const refused = await run(['test'], slack('/other', '127.0.0.1'))
  expect([refused.exitCode, refused.said]).toEqual([1, expect.stringContaining('(refused: 500)')])
  server.close()
})

it('asks for an address, and says when nothing is set', async () => {
  expect((await run(['test'], {})).said).toContain('[reports.notices_off]')
  const mail = { SEKISHO_NOTICES_SMTP: 'smtps://mail.example', SEKISHO_NOTICES_FROM: 'docs@example.co.jp' }
  const without = await run(['test'], mail)
  expect([without.exitCode, without.said]).toEqual([2, expect.stringContaining('--to ADDRESS')])
  expect((await run([], {})).exitCode).toBe(2)
})

it('a check counts what waits and what nobody took', async () => {
  await using build = await createTestBuild()
  const io = { env: SETTINGS, cwd: build.root, clock: () => 0, print() {}, complain() {} }
  const at = { dataDir: build.dataDir, databaseUrl: null }
  const config = { ...at, notices: { webhook: { url: new URL('https://hook.example') }, mail: null } }
  const check = async () =>
    (await checkNotices(config as never, io, false)).facts.map((fact) => sayTo(io, fact))
  expect(await check()).toEqual([expect.stringContaining('hook.example')])
  await mkdir(build.dataDir)
  const folder = dataFolderAt(build.dataDir)
  const own = { databaseUrl: null, folder, context: null, secrets: null, onProblem: () => {}, now: () => 0 }
  await using stores = await openStores(own)
  const notice = { kind: 'digest', recipient: 'webhook', subject: '2026-11-23', createdAtMs: 0 } as const
  for (const key of ['a', 'b', 'c']) await stores.notices.add({ ...notice, key })
  for (const outcome of [{ retryAtMs: 9 }, { state: 'dropped' }] as const)
    await stores.notices.settle((await stores.notices.claim(0, 1)) ?? expect.fail(), outcome, 0)
  expect(await check()).toEqual([
    expect.stringContaining('hook.example'),
    expect.stringContaining('2 waiting, 1 of them after a failed attempt; 1 given up'),
  ])
})

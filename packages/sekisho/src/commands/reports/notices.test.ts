import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
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

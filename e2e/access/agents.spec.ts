import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { expect, LONG, test } from '../support/fixtures.ts'
import { findFreePort } from '../support/product.ts'
import { chooseAccount, loginButton } from '../support/sign-in.ts'

const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'

/** A client as a program on the reader's machine is one: it listens on a free port, keeps what it is given, and sends the browser on to a page of another origin, as some do. */
async function startClient(origin: string, hasDocument: boolean) {
  const answers: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/callback') {
      answers.push(url)
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/done` }).end()
    } else response.setHeader('Content-Type', 'text/html').end('<h1>You may close this window</h1>')
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on one
  const redirectUrl = `http://localhost:${port}/callback`
  let asked: URL | undefined
  let tokens: StoredOAuthTokens | undefined
  let information: StoredOAuthClientInformation | undefined
  let verifier = ''
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    ...(hasDocument && { clientMetadataUrl: CLAUDE_CODE }),
    clientMetadata: {
      ...{ client_name: 'Some Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    },
    state: () => 'state-1',
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    redirectToAuthorization: (url) => {
      asked = url
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
  }
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider })
    const client = new Client({ name: 'e2e', version: '1' })
    return { transport, connected: client.connect(transport).then(() => client) }
  }
  return {
    answers,
    connect,
    asked: () => asked?.href ?? '',
    /** As if the time of the access token were over. */
    forgetAccess: () => {
      if (tokens !== undefined) tokens = { ...tokens, access_token: 'sekisho_agent_over' }
    },
    refreshToken: () => tokens?.refresh_token,
    clientId: () => information?.client_id,
    [Symbol.dispose]: () => void server.close(),
  }
}

const allow = (page: Page) => page.getByRole('button', { name: '許可する' })

for (const [how, hasDocument] of [
  ['by its document', true],
  ['by registering itself', false],
] as const) {
  test(`an agent that is known ${how} reads once its reader said so, until that is taken back`, {
    tag: hasDocument ? [] : LONG,
  }, async ({ page, product }) => {
    using agent = await startClient(product.origin, hasDocument)
    const first = await agent.connect()
    await expect(first.connected).rejects.toThrow(/Unauthorized/i)

    await page.goto(agent.asked())
    await expect(loginButton(page)).toBeVisible() // at the very address
    await chooseAccount(page, '佐藤 花子')
    await expect(page.getByRole('heading', { name: 'エージェントに読むことを許可しますか' })).toBeVisible()
    await expect(page.getByText(hasDocument ? 'claude.ai' : '確かめられていません')).toBeVisible()
    expect(await page.locator('script').count()).toBe(1)
    await allow(page).click()
    await expect(page.getByText('You may close this window')).toBeVisible()

    const [answer] = agent.answers
    expect(answer?.searchParams.get('state')).toBe('state-1')
    await first.transport.finishAuth(answer?.searchParams ?? new URLSearchParams())
    const client = await (await agent.connect()).connected
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search')
    const found = await client.callTool({ name: 'search', arguments: { query: '環境構築' } })
    expect(JSON.stringify(found)).toContain('/docs/')

    const before = agent.refreshToken()
    agent.forgetAccess()
    await (await (await agent.connect()).connected).listTools()
    expect(agent.refreshToken()).not.toBe(before)

    await page.goto(`${product.origin}/__gate/account`)
    const item = page
      .getByRole('listitem')
      .filter({ hasText: hasDocument ? 'Claude Code' : 'Some Agent' })
      .last()
    await item.getByRole('button', { name: '取り消す' }).click()
    await expect(page.getByRole('heading', { name: 'アカウント' })).toBeVisible()
    await expect(client.listTools()).rejects.toThrow()
  })
}

test('a reader says no, and the agent is told', async ({ reader, product }) => {
  using agent = await startClient(product.origin, true)
  await expect((await agent.connect()).connected).rejects.toThrow()
  await reader.goto(agent.asked())
  await reader.getByRole('button', { name: '許可しない' }).click()
  await expect(reader.getByText('You may close this window')).toBeVisible()
  expect(agent.answers[0]?.searchParams.get('error')).toBe('access_denied')
})

/** The conformance suite's own program. */
const SUITE = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js')

test('the conformance suite finds nothing in how a reader’s browser gets it a token', async ({
  page,
  product,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-authorization-'))
  const [port, resource] = [String(await findFreePort()), `${product.origin}/mcp`]
  const asked = ['--url', product.origin, '--client-id', CLAUDE_CODE, '--resource', resource]
  const suite = spawn(process.execPath, [SUITE, 'authorization', ...asked, '--port', port, '-o', folder])
  const ended = once(suite, 'exit')
  let said = ''
  suite.stdout.on('data', (part) => {
    said += part
  })
  const address = () => /http\S+\/oauth\/authorize\?\S+/.exec(said)?.[0] ?? ''
  await expect.poll(address).not.toBe('')
  await page.goto(address())
  await chooseAccount(page, '佐藤 花子') // a sign-in of its own: with the consent its cookie is replaced
  await allow(page).click()
  await ended

  const checks: { id: string; status: string }[] = []
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('checks.json')) checks.push(...JSON.parse(await readFile(join(folder, name), 'utf8')))
  await rm(folder, { recursive: true })
  expect(checks.map(({ id, status }) => `${id}: ${status}`).sort()).toEqual([
    'authorization-code-grant: SUCCESS',
    'authorization-server-metadata-cimd: SUCCESS',
    'authorization-server-metadata: SUCCESS',
  ])
})

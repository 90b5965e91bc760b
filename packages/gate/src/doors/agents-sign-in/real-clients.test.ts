import { AGENT_ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedirect, readRedirectUri } from '../../access/redirect-uris.ts'
import { createTestClient } from '../../testing/test-client.ts'
import { createTestGate, readObject, type TestGate } from '../../testing/test-gate.ts'
import { somebody } from '../../testing/test-issuer.ts'
import { readDocumentUrl } from './client-documents.ts'
import { KNOWN_CLIENTS } from './known-clients.ts'

const rules = { own: new Map([['gemini', ['http://localhost:7777/oauth/callback']]]), allowed: null }
let portal: TestGate
beforeAll(async () => {
  portal = await createTestGate({ agentRules: rules })
})
afterAll(() => portal[Symbol.asyncDispose]())

/** Clients as they were seen to ask: by their document, by registering, or by an id that somebody typed. */
const CLIENTS: readonly (readonly [
  client: string,
  how: 'document' | 'registers' | 'typed',
  id: string,
  redirect: string,
])[] = [
  [
    'Claude Code',
    'document',
    'https://claude.ai/oauth/claude-code-client-metadata',
    'http://localhost:61234/callback',
  ],
  ['Claude Code, by registering', 'registers', '', 'http://localhost:50001/callback'],
  ['VS Code', 'document', 'https://vscode.dev/oauth/client-metadata.json', 'http://127.0.0.1:33418/'],
  [
    'VS Code, another port',
    'document',
    'https://vscode.dev/oauth/client-metadata.json',
    'http://127.0.0.1:49152/',
  ],
  [
    'VS Code in a browser',
    'document',
    'https://vscode.dev/oauth/client-metadata.json',
    'https://vscode.dev/redirect',
  ],
  ['Codex', 'document', 'https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1:57585/callback'],
  [
    'OpenCode',
    'document',
    'https://opencode.ai/oauth/opencode/client.json',
    'http://127.0.0.1:19876/callback',
  ],
  [
    'Goose',
    'document',
    'https://goose-docs.ai/oauth/client-metadata.json',
    'http://localhost:40404/oauth_callback',
  ],
  ['Zed', 'document', 'https://zed.dev/oauth/client-metadata.json', 'http://127.0.0.1:40405/callback'],
  ['Cursor', 'registers', '', 'http://localhost:8787/callback'],
  ['Cursor before', 'registers', '', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ['Gemini CLI', 'registers', '', 'http://localhost:7777/oauth/callback'],
  ['Gemini CLI, typed', 'typed', 'gemini', 'http://localhost:7777/oauth/callback'],
  ['claude.ai', 'registers', '', 'https://claude.ai/api/mcp/auth_callback'],
  ['claude.com', 'registers', '', 'https://claude.com/api/mcp/auth_callback'],
  [
    'Claude Desktop',
    'document',
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://claude.ai/api/mcp/auth_callback',
  ],
  [
    'ChatGPT',
    'document',
    'https://chatgpt.com/oauth/client.json',
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ],
]

describe('a real client', () => {
  it.each(CLIENTS)('%s signs in (%s)', async (name, how, id, redirect_uri) => {
    portal.state.nowMs += 3_600_000 // each from another hour: ten of them register themselves
    const client_id = how === 'registers' ? await register(name, redirect_uri) : id
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const page = await client.show(cookie, { client_id, redirect_uri })
    expect(page.status).toBe(200)
    const { location } = await client.decide(cookie, page)
    expect(`${location?.href.split('?')[0]}`).toBe(redirect_uri)
    const code = location?.searchParams.get('code') ?? ''
    const tokens = await readObject(await client.token({ code, client_id, redirect_uri }))
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'docs:read' })
  })
})

async function register(client_name: string, redirect: string): Promise<string> {
  const answer = await portal.ask(AGENT_ROUTES.register.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ client_name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  })
  expect(answer.status).toBe(201)
  return String((await readObject(answer)).client_id)
}

it('the documents that are shipped are of the form that fetched ones must have', () => {
  for (const [id, { name, redirects }] of KNOWN_CLIENTS) {
    expect([id, readDocumentUrl(id)?.href]).toEqual([id, id])
    expect(name).toMatch(/^[A-Za-z ]{2,40}$/)
    expect(redirects.map((one) => readRedirectUri(one)?.text)).toEqual(redirects)
  }
})

const REGISTERED = ['http://localhost/callback', 'https://client.test/cb?a=1', 'http://127.0.0.1:33418/']

describe('57 where an answer goes', () => {
  it.each([
    'http://localhost/callback',
    'http://localhost:1/callback',
    'http://localhost:65535/callback',
    'https://client.test/cb?a=1',
    'http://127.0.0.1:9/',
  ])('%s is an address of the client', (asked) => {
    expect(findRedirect(REGISTERED, asked)?.text).toBe(asked)
  })

  it.each([
    ...[
      '',
      'callback',
      '//localhost/callback',
      'http://localhost:99999/callback',
      'http://localhost:1/callback/',
    ],
    ...['http://localhost:1/callback?x=1', 'http://localhost:1/callback#x', 'http://localhost:1/Callback'],
    ...[
      'https://localhost:1/callback',
      'http://127.0.0.1:1/callback',
      'http://[::1]:1/callback',
      'http://localhost.:1/callback',
    ],
    ...[
      'http://localhost.evil.test/callback',
      'http://evil.test/callback',
      'http://localhost@evil.test/callback',
    ],
    ...[
      'http://user:pass@localhost:1/callback',
      'http://localhost:1/x/../callback',
      'http://LOCALHOST:1/callback\\',
    ],
    ...[
      'https://client.test/cb',
      'https://client.test:8443/cb?a=1',
      'https://client.test/cb?a=1&b=2',
      'https://CLIENT.test/cb?a=1',
    ],
    ...[
      'https://evil.client.test/cb?a=1',
      'http://client.test/cb?a=1',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///x',
    ],
    ...[
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'vscode://x/y',
      'http://localhost:1/callback\r\nx: y',
      'http://localhost:1/ｃallback',
    ],
  ])('%j is not', (asked) => {
    expect(findRedirect(REGISTERED, asked)).toBeNull()
  })

  it.each([
    ...[
      'http://portal.test/cb',
      'http://10.0.0.1/cb',
      'cursor://anysphere.cursor-mcp/oauth/callback?x',
      'cursor://evil/oauth/callback',
    ],
    ...[
      'https://user@client.test/',
      'https://client.test/#x',
      'javascript:alert(1)',
      'myapp://cb',
      `https://client.test/${'a'.repeat(600)}`,
    ],
  ])('nobody registers %j', (one) => expect(readRedirectUri(one)).toBeNull())
})

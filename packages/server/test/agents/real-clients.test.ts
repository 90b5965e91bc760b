import { AGENT_ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedirect, readRedirectUri } from '../../src/agents/sign-in/redirect-uris.ts'
import { KNOWN_CLIENTS, readDocumentUrl } from '../../src/agents/testing/index.ts'
import { somebody } from '../../src/identity/testing/index.ts'
import { createTestClient } from '../../src/testing/test-client.ts'
import { createTestGate, readObject, type TestGate } from '../../src/testing/test-gate.ts'

/** A client of ChatGPT's has a document and an address of its own for each connector that a reader makes. */
const CONNECTOR = 'https://chatgpt.com/oauth/OUbdUMlL15Ct/client.json'
const CONNECTOR_CALLBACK = 'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct'
const rules = {
  own: new Map([
    ['claude-code', ['http://localhost/callback']],
    ['vscode', ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect']],
    ['cursor', ['http://localhost:8787/callback', 'cursor://anysphere.cursor-mcp/oauth/callback']],
    ['gemini', ['http://localhost:7777/oauth/callback']],
    ['claude', ['https://claude.ai/api/mcp/auth_callback']],
  ]),
  allowed: null,
}
let portal: TestGate
beforeAll(async () => {
  portal = await createTestGate({
    agentRules: rules,
    fetchDocument: async ({ href }) => ({
      text: JSON.stringify({ client_id: href, client_name: 'ChatGPT', redirect_uris: [CONNECTOR_CALLBACK] }),
      maxAgeMs: 0,
    }),
  })
})
afterAll(() => portal[Symbol.asyncDispose]())

/**
 * Clients as observed, each variant of each row of the facts of November 2026: by a document of theirs, by registration, or by a typed id,
 * with a secret where the client sends one.
 */
const CLIENTS = `
  Claude Code          | document | https://claude.ai/oauth/claude-code-client-metadata | http://localhost:61234/callback
  Claude Code          | document | https://claude.ai/oauth/claude-code-client-metadata | http://127.0.0.1:61235/callback
  Claude Code          | register |                                                     | http://localhost:50001/callback
  Claude Code          | typed    | claude-code                                         | http://localhost:50002/callback
  VS Code              | document | https://vscode.dev/oauth/client-metadata.json       | http://127.0.0.1:33418/
  VS Code              | document | https://vscode.dev/oauth/client-metadata.json       | http://127.0.0.1:49152/
  VS Code              | document | https://vscode.dev/oauth/client-metadata.json       | https://vscode.dev/redirect
  VS Code              | register |                                                     | http://127.0.0.1:33418/
  VS Code              | typed    | vscode                                              | http://127.0.0.1:50003/
  Codex                | document | https://chatgpt.com/oauth/codex/client.json         | http://127.0.0.1:57585/callback
  OpenCode             | document | https://opencode.ai/oauth/opencode/client.json      | http://127.0.0.1:19876/callback
  Goose                | document | https://goose-docs.ai/oauth/client-metadata.json    | http://localhost:40404/oauth_callback
  Zed                  | document | https://zed.dev/oauth/client-metadata.json          | http://127.0.0.1:40405/callback
  Cursor               | register |                                                     | http://localhost:8787/callback
  Cursor               | register |                                                     | cursor://anysphere.cursor-mcp/oauth/callback
  Cursor               | secret   | cursor                                              | http://localhost:8787/callback
  Cursor               | secret   | cursor                                              | cursor://anysphere.cursor-mcp/oauth/callback
  Gemini CLI           | register |                                                     | http://localhost:7777/oauth/callback
  Gemini CLI           | secret   | gemini                                              | http://localhost:7777/oauth/callback
  claude.ai            | register |                                                     | https://claude.ai/api/mcp/auth_callback
  claude.com           | register |                                                     | https://claude.com/api/mcp/auth_callback
  claude.ai            | typed    | claude                                              | https://claude.ai/api/mcp/auth_callback
  Claude Desktop       | document | https://claude.ai/oauth/mcp-oauth-client-metadata   | https://claude.ai/api/mcp/auth_callback
  ChatGPT              | document | https://chatgpt.com/oauth/client.json               | https://chatgpt.com/connector_platform_oauth_redirect
  ChatGPT              | document | ${CONNECTOR} | ${CONNECTOR_CALLBACK}
  ChatGPT              | register |                                                     | ${CONNECTOR_CALLBACK}
  mcp-remote           | register |                                                     | http://localhost:3334/oauth/callback
`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', how = '', id = '', redirect = ''] = line.split('|').map((cell) => cell.trim())
    return { name, how, id, redirect }
  })

describe('a real client', () => {
  it.each(CLIENTS)('$name signs in ($how) and goes on, at $redirect', async ({ name, how, id, redirect }) => {
    portal.state.nowMs += 3_600_000 // each from another hour: ten of them register themselves
    const client_id = how === 'register' ? await register(name, redirect) : id
    const [client, redirect_uri] = [createTestClient(portal), redirect]
    const cookie = await portal.signIn(somebody())
    const page = await client.show(cookie, { client_id, redirect_uri })
    expect(page.status).toBe(200)
    const { location } = await client.decide(cookie, page)
    expect(`${location?.href.split('?')[0]}`).toBe(redirect_uri)
    const secret = how === 'secret' ? { client_secret: 'typed beside the id' } : {}
    const code = location?.searchParams.get('code') ?? ''
    const first = await readObject(await client.token({ code, client_id, redirect_uri, ...secret }))
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'docs:read' })
    const asked = { grant_type: 'refresh_token', refresh_token: String(first.refresh_token) }
    const next = await readObject(await client.token({ ...asked, client_id, ...secret }))
    expect([next.token_type, next.refresh_token === first.refresh_token]).toEqual(['Bearer', false])
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
      'https://:secret@client.test/',
      'https://client.test/#x',
      'javascript:alert(1)',
      'myapp://cb',
      `https://client.test/${'a'.repeat(600)}`,
    ],
  ])('nobody registers %j', (one) => expect(readRedirectUri(one)).toBeNull())
})

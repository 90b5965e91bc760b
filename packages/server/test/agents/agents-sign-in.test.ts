import { AGENT_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ISSUER, somebody } from '../../src/identity/testing/index.ts'
import { PAGE_SCRIPT } from '../../src/kernel/pages/page-script.ts'
import { jsonResponse } from '../../src/kernel/pages/problem.ts'
import { agentRoute } from '../../src/kernel/route-table.ts'
import { UnavailableError } from '../../src/storage/unavailable-error.ts'
import { CALLBACK, CLAUDE_CODE, createTestClient, type Parameters } from '../../src/testing/test-client.ts'
import { createTestGate, NAVIGATION, ORIGIN, readObject, type TestGate } from '../../src/testing/test-gate.ts'

const ENDPOINT = new Map(
  [AGENT_ROUTES.mcp, AGENT_ROUTES.mcpWithSlash].map((route) =>
    agentRoute(route, {
      POST: (_request, { account }) => jsonResponse({ email: account.email }),
    }),
  ),
)
let portal: TestGate
beforeAll(async () => {
  portal = await createTestGate({ endpoints: [ENDPOINT] })
})
afterAll(() => portal[Symbol.asyncDispose]())

const MCP = async (token: unknown, path = '/mcp') =>
  (await portal.ask(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })).status
const eventsOf = async (email: string) =>
  (await portal.records()).filter((line) => line.email === email).map(({ event }) => event)

describe('what is open', () => {
  it('tells clients where to ask, to scripts of any origin, and nothing else does', async () => {
    const { resource, resourceOfMcp, resourceOfMcpWithSlash, authorizationServer } = AGENT_ROUTES
    const [server, ours, ...theirs] = await Promise.all(
      [authorizationServer, resource, resourceOfMcp, resourceOfMcpWithSlash].map(({ path }) =>
        portal.ask(path),
      ),
    )
    const text = await ours?.text()
    for (const one of theirs) expect(await one.text()).toBe(text)
    expect(await readObject(server ?? new Response())).toMatchObject({
      issuer: 'https://portal.test',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      registration_endpoint: 'https://portal.test/oauth/register',
    })
    expect(server?.headers.get('access-control-allow-origin')).toBe('*')
    for (const path of [
      '/mcp',
      '/oauth/token',
      '/oauth/authorize',
      '/oauth/register',
      '/oauth/revoke',
      '/',
    ]) {
      const answer = await portal.ask(path, { method: 'POST', headers: { Origin: 'https://evil.test' } })
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })

  it('challenges without a token at /mcp/ as at /mcp, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const [plain, slash] = await Promise.all(['/mcp', '/mcp/'].map((path) => portal.ask(path, { method })))
      const challenge = plain?.headers.get('www-authenticate')
      expect(challenge).toContain('resource_metadata="https://portal.test/.well-known/oauth-protected')
      expect([slash?.status, slash?.headers.get('www-authenticate')]).toEqual([401, challenge])
      expect(await slash?.text()).toBe(await plain?.text())
    }
  })

  it('asks nobody who is not signed in: the login page stands at the address, whatever is asked', async () => {
    const path = `${AGENT_ROUTES.authorize.path}?${createTestClient(portal).query()}`
    const [asked, bare] = await Promise.all(
      [path, '/'].map((one) => portal.ask(one, { headers: NAVIGATION })),
    )
    expect([asked?.status, await asked?.text()]).toEqual([401, await bare?.text()])
  })
})

describe('a reader', () => {
  it('is told who asks, where the answer goes, what is let be done, and as whom', async () => {
    const who = somebody()
    const page = await createTestClient(portal).show(await portal.signIn(who))
    const text = await page.text()
    for (const part of [
      '<strong>Claude Code</strong>',
      'claude.ai',
      'localhost:53123',
      String(who.email),
      '書き換え',
    ])
      expect(text).toContain(part)
    expect(text.replace(`<script>${PAGE_SCRIPT}</script>`, '')).not.toContain('<script')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self';")
  })

  it('lets a client read, stays signed in, and has two lines in the trail', async () => {
    const who = somebody()
    const client = createTestClient(portal)
    const cookie = await portal.signIn(who)
    const { location, cookie: renewed, response } = await client.decide(cookie, await client.show(cookie))
    expect([response.status, response.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect(await response.text()).toContain(`href="${location?.href.replaceAll('&', '&#38;')}"`)
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      ...{ code: expect.stringMatching(/^[\w-]{43,80}$/), state: 's-1', iss: 'https://portal.test' },
    })
    expect([await portal.statusFor(cookie), await portal.statusFor(renewed)]).toEqual([401, 200])
    const answer = await client.token({ code: location?.searchParams.get('code') ?? '' })
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const { access_token } = await readObject(answer)
    expect([await MCP(access_token), await MCP(access_token, '/mcp/')]).toEqual([200, 200])
    const { status } = await portal.ask('/mcp/', { headers: { Authorization: `bearer  ${access_token}` } })
    expect(status).toBe(405)
    expect(await eventsOf(String(who.email))).toEqual([...['signed_in', 'agent_allowed', 'page_read']])
  })

  it('says no, and the client is told', async () => {
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const { location } = await client.decide(cookie, await client.show(cookie), 'deny')
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      ...{ error: 'access_denied', error_description: 'the reader did not allow this client to read' },
      ...{ state: 's-1', iss: 'https://portal.test' },
    })
  })

  it('lets a second client read in the session that the first made', async () => {
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const first = await client.decide(cookie, await client.show(cookie))
    const second = await client.decide(first.cookie, await client.show(first.cookie))
    expect(second.response.headers.getSetCookie()).toEqual([])
    for (const { location } of [first, second])
      expect((await client.token({ code: location?.searchParams.get('code') ?? '' })).status).toBe(200)
  })

  it('gives nothing whose line is not on the disk', async () => {
    const full = new UnavailableError('unavailable', 'the audit trail cannot be written')
    const recordDurably: TestGate['audit']['recordDurably'] = (event, fields) =>
      event === 'agent_allowed' ? Promise.reject(full) : portal.audit.recordDurably(event, fields)
    await using test = await createTestGate({
      endpoints: [ENDPOINT],
      audit: { ...portal.audit, recordDurably },
    })
    const who = somebody()
    const client = createTestClient(test)
    const cookie = await test.signIn(who)
    const { response, location } = await client.decide(cookie, await client.show(cookie))
    expect([response.status, location]).toEqual([503, null])
    expect(await test.grants.ofAccount({ issuer: ISSUER, sub: String(who.sub) })).toEqual([])
  })
})

describe('51 consent', () => {
  it.each<[string, (token: string) => Record<string, string>, Record<string, string>]>([
    [
      'from another site',
      (request) => ({ request }),
      { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
    ],
    ['from no site', (request) => ({ request }), {}],
    [
      'from a sibling host',
      (request) => ({ request }),
      { Origin: ORIGIN.origin, 'Sec-Fetch-Site': 'same-site' },
    ],
  ])('that was given %s does not count', async (_how, fields, headers) => {
    const cookie = await portal.signIn(somebody())
    const page = await createTestClient(portal).show(cookie)
    const [, request = ''] = /name="request" value="([^"]+)"/.exec(await page.text()) ?? []
    const answer = await portal.ask(AGENT_ROUTES.authorize.path, {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ ...fields(request), decision: 'allow' }).toString(),
    })
    expect([answer.status, answer.headers.get('refresh')]).toEqual([403, null])
  })

  it('that somebody else was shown, or long ago, or nobody, does not count', async () => {
    const client = createTestClient(portal)
    const [mine, theirs] = [await portal.signIn(somebody()), await portal.signIn(somebody())]
    const foreign = await client.decide(mine, await client.show(theirs))
    expect([foreign.response.status, foreign.location]).toEqual([400, null])
    const made = await client.decide(mine, new Response(`<input name="request" value="${'A'.repeat(80)}">`))
    expect([made.response.status, made.location]).toEqual([400, null])
    const page = await client.show(mine)
    portal.state.nowMs += 601_000
    const late = await client.decide(mine, page)
    expect([late.response.status, late.location]).toEqual([400, null])
  })

  it('in a frame, or by a script, or by an image is not asked for', async () => {
    const cookie = await portal.signIn(somebody())
    const path = `${AGENT_ROUTES.authorize.path}?${createTestClient(portal).query()}`
    for (const dest of ['iframe', 'image', 'script', 'empty']) {
      const headers = {
        Cookie: cookie,
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'no-cors',
        'Sec-Fetch-Dest': dest,
      }
      expect((await portal.ask(path, { headers })).status).toBe(403)
    }
  })

  it('59 shows a name as text, and no other language direction', async () => {
    const name = '<script>alert(1)</script>\u202Eedoc\u202C\u200B "Claude Code"'
    const answer = await portal.ask(AGENT_ROUTES.register.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: name, redirect_uris: [CALLBACK] }),
    })
    const { client_id } = await readObject(answer)
    const page = await createTestClient(portal).show(await portal.signIn(somebody()), {
      client_id: String(client_id),
    })
    const text = await page.text()
    expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;edoc &#34;Claude Code&#34;')
    expect(text).toContain('確かめられていません')
    expect(text.replace(`<script>${PAGE_SCRIPT}</script>`, '')).not.toMatch(/<script|[\u202A-\u202E\u200B]/)
  })
})

/** An address of a client without a vouching party. */
const ELSEWHERE = 'https://client.test/callback'

const register = (body: unknown, at = portal) =>
  at.ask(AGENT_ROUTES.register.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const BAD_REQUESTS: readonly (readonly [string, Parameters, 'page' | string])[] = [
  ['an unknown client', { client_id: 'nobody' }, 'page'],
  ['no client', { client_id: null }, 'page'],
  ['another address', { redirect_uri: 'https://evil.test/callback' }, 'page'],
  ['no address', { redirect_uri: null }, 'page'],
  ['another loopback name', { redirect_uri: 'http://[::1]:53123/callback' }, 'page'],
  ['no challenge', { code_challenge: null }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method', { code_challenge_method: null }, 'invalid_request'],
  ['a token in place of a code', { response_type: 'token' }, 'unsupported_response_type'],
  ['an answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['a token for another server', { resource: 'https://evil.test/mcp' }, 'invalid_target'],
]

describe('57 an authorization request', () => {
  it.each(BAD_REQUESTS)('with %s that no browser navigated to gets JSON', async (what, changes) => {
    const Cookie = await portal.signIn(somebody())
    const path = `${AGENT_ROUTES.authorize.path}?${createTestClient(portal).query(changes)}`
    const answer = await portal.ask(path, { headers: { Cookie, Accept: 'application/json' } })
    expect([answer.headers.get('content-type'), answer.headers.get('location')]).toEqual([
      'application/json',
      null,
    ])
    const error = what.endsWith(' client')
      ? 'invalid_client'
      : expect.stringMatching(/^(invalid|unsupported)_/)
    expect(await readObject(answer)).toMatchObject({ error, error_description: expect.any(String) })
  })

  it.each(BAD_REQUESTS)(
    'of a client that registered itself, with %s, redirects nowhere',
    async (_what, changes) => {
      portal.state.nowMs += 3_600_000
      const { client_id } = await readObject(await register({ redirect_uris: [ELSEWHERE] }))
      const asked = { client_id: String(client_id), redirect_uri: ELSEWHERE, ...changes }
      const page = await createTestClient(portal).show(await portal.signIn(somebody()), asked)
      expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([
        400,
        null,
        null,
      ])
      expect(await page.text()).not.toContain('client.test')
    },
  )

  it.each(['https://portal.test/mcp/', 'https://portal.test/mcp', 'https://portal.test', null])(
    'for %s is for /mcp, at each step',
    async (resource) => {
      const client = createTestClient(portal)
      const code = await client.consent(await portal.signIn(somebody()), { resource })
      const { access_token, refresh_token } = await readObject(await client.token({ code, resource }))
      expect(await MCP(access_token, '/mcp/')).toBe(200)
      const again = { grant_type: 'refresh_token', refresh_token: String(refresh_token), resource }
      expect((await client.token(again)).status).toBe(200)
    },
  )

  it.each(BAD_REQUESTS)('with %s asks nobody', async (_what, changes, answer) => {
    const cookie = await portal.signIn(somebody())
    const page = await createTestClient(portal).show(cookie, changes)
    expect(await page.text()).not.toContain('name="request"')
    const location = URL.parse(page.headers.get('location') ?? '')
    if (answer === 'page') expect([page.status, location]).toEqual([400, null])
    else {
      expect([page.status, `${location?.origin}${location?.pathname}`]).toEqual([303, CALLBACK])
      expect(location?.searchParams.get('error')).toBe(answer)
      expect(location?.searchParams.get('iss')).toBe('https://portal.test')
    }
  })

  it('with a parameter twice asks nobody', async () => {
    const cookie = await portal.signIn(somebody())
    const query = createTestClient(portal).query()
    for (const more of [`&redirect_uri=${CALLBACK}`, '&client_id=x', '&code_challenge=x', '&resource=x']) {
      const path = `${AGENT_ROUTES.authorize.path}?${query}${more}`
      const answer = await portal.ask(path, { headers: { ...NAVIGATION, Cookie: cookie } })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })
})

describe('a code', () => {
  it.each<[string, Parameters]>([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: null }],
    ['another client', { client_id: 'https://vscode.dev/oauth/client-metadata.json' }],
    ['another address', { redirect_uri: 'http://localhost:53124/callback' }],
    ['no address', { redirect_uri: null }],
  ])('50 is of no use with %s, nor to anybody afterwards', async (_what, changes) => {
    const client = createTestClient(portal)
    const code = await client.consent(await portal.signIn(somebody()))
    expect((await readObject(await client.token({ code, ...changes }))).error).toBe('invalid_grant')
    expect((await readObject(await client.token({ code }))).error).toBe('invalid_grant')
  })

  it('50 counts once: used again, it ends what the first use gave', async () => {
    const client = createTestClient(portal)
    const code = await client.consent(await portal.signIn(somebody()))
    const { access_token, refresh_token } = await readObject(await client.token({ code }))
    expect(await MCP(access_token)).toBe(200)
    expect((await client.token({ code })).status).toBe(400)
    expect(await MCP(access_token)).toBe(401)
    const refreshed = await client.token({
      grant_type: 'refresh_token',
      refresh_token: String(refresh_token),
    })
    expect(refreshed.status).toBe(400)
    const lines = (await portal.records()).filter(({ event }) => event === 'agent_ended')
    expect(lines.at(-1)).toMatchObject({ by: 'gate', reason: 'authorization_code used again' })
  })

  it('50 counts for a minute, and for this resource', async () => {
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const code = await client.consent(cookie)
    expect((await readObject(await client.token({ code, resource: 'https://evil.test/mcp' }))).error).toBe(
      'invalid_target',
    )
    portal.state.nowMs += 60_000
    expect((await readObject(await client.token({ code }))).error).toBe('invalid_grant')
  })

  it('is asked for in one form only', async () => {
    const client = createTestClient(portal)
    const code = await client.consent(await portal.signIn(somebody()))
    const url = `${AGENT_ROUTES.token.path}?code=${code}`
    expect((await portal.ask(url, { method: 'GET' })).status).toBe(405)
    const json = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    }
    expect((await readObject(await portal.ask(url, json))).error).toBe('invalid_request')
    expect((await readObject(await client.token({ grant_type: 'password' }))).error).toBe(
      'unsupported_grant_type',
    )
    const twice = await portal.ask(AGENT_ROUTES.token.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `grant_type=authorization_code&code=${code}&code=${code}&client_id=${CLAUDE_CODE}`,
    })
    expect((await readObject(twice)).error).toBe('invalid_request')
  })
})

describe('a refresh token', () => {
  const refreshWith = async (refresh_token: unknown, changes: Parameters = {}) => {
    const asked = { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...changes }
    return readObject(await createTestClient(portal).token(asked))
  }

  it('is replaced each time; an answer may be lost, and processes that share it go on side by side', async () => {
    const first = await createTestClient(portal).tokens(await portal.signIn(somebody()))
    let one = await refreshWith(first.refresh_token)
    portal.state.nowMs += 300_000
    let other = await refreshWith(first.refresh_token)
    expect(new Set([first, one, other].map(({ refresh_token }) => refresh_token)).size).toBe(3)
    for (let rounds = 0; rounds < 2; rounds += 1) {
      portal.state.nowMs += 600_000
      one = await refreshWith(one.refresh_token)
      portal.state.nowMs += 120_000
      other = await refreshWith(other.refresh_token)
      expect([await MCP(one.access_token), await MCP(other.access_token)]).toEqual([200, 200])
    }
  })

  it('is exchanged by as many as ask for it at once', async () => {
    const first = await createTestClient(portal).tokens(await portal.signIn(somebody()))
    const siblings = await Promise.all(Array.from({ length: 20 }, () => refreshWith(first.refresh_token)))
    portal.state.nowMs += 300_000
    const next = await Promise.all(siblings.map(({ refresh_token }) => refreshWith(refresh_token)))
    for (const { access_token } of [...siblings, ...next]) expect(await MCP(access_token)).toBe(200)
  })

  it.each([
    ['the token itself', 0],
    ['its successor', 1],
  ])('77 used again after the reuse window ends the grant: %s', async (_which, index) => {
    const tokens = [await createTestClient(portal).tokens(await portal.signIn(somebody()))]
    for (let uses = 0; uses < 3; uses += 1) tokens.push(await refreshWith(tokens.at(-1)?.refresh_token))
    portal.state.nowMs += 600_000
    const last = await refreshWith(tokens.at(-1)?.refresh_token)
    expect(await MCP(last.access_token)).toBe(200)
    expect(await refreshWith(tokens[index]?.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect(await MCP(last.access_token)).toBe(401)
    expect(await refreshWith(last.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    const lines = (await portal.records()).filter(({ event }) => event === 'agent_ended')
    expect(lines.at(-1)).toMatchObject({ by: 'gate', reason: 'refresh_token used again' })
  })

  it('is of no use to another client, nor for another server, nor after thirty days', async () => {
    const { refresh_token } = await createTestClient(portal).tokens(await portal.signIn(somebody()))
    const other = { client_id: 'https://vscode.dev/oauth/client-metadata.json' }
    expect(await refreshWith(refresh_token, other)).toMatchObject({ error: 'invalid_grant' })
    expect(await refreshWith(refresh_token, { resource: 'https://evil.test' })).toMatchObject({
      error: 'invalid_target',
    })
    expect((await refreshWith(refresh_token)).access_token).toBeDefined()
    expect(await refreshWith(`sekisho_refresh_${'A'.repeat(60)}`)).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('what a client gives back', () => {
  it('ends its grant, and says nothing of what was none', async () => {
    const client = createTestClient(portal)
    const revoke = (token: unknown, client_id = CLAUDE_CODE) =>
      portal.ask(AGENT_ROUTES.revoke.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: String(token), client_id }).toString(),
      })
    for (const name of ['access_token', 'refresh_token']) {
      const tokens = await client.tokens(await portal.signIn(somebody()))
      expect((await revoke(tokens[name], 'another')).status).toBe(200)
      expect(await MCP(tokens.access_token)).toBe(200)
      expect((await revoke(tokens[name])).status).toBe(200)
      expect(await MCP(tokens.access_token)).toBe(401)
    }
    expect((await revoke('nothing')).status).toBe(200)
  })
})

describe('a grant', () => {
  const DAY_MS = 86_400_000
  it('ends when unused for fourteen days; a refresh is a use', async () => {
    await using test = await createTestGate({ endpoints: [ENDPOINT] })
    const who = somebody()
    const account = { issuer: ISSUER, sub: String(who.sub) }
    const client = createTestClient(test)
    let cookie = await test.signIn(who)
    const tokens: Record<string, unknown>[] = []
    for (let n = 0; n < 2; n += 1) {
      const decided = await client.decide(cookie, await client.show(cookie))
      cookie = decided.cookie
      const code = decided.location?.searchParams.get('code') ?? ''
      tokens.push(await readObject(await client.token({ code })))
    }
    const refresh = (of: Record<string, unknown> | undefined) =>
      client.token({ grant_type: 'refresh_token', refresh_token: String(of?.refresh_token) })
    test.state.nowMs += 13 * DAY_MS
    const used = await readObject(await refresh(tokens[0]))
    test.state.nowMs += DAY_MS
    expect((await test.grants.ofAccount(account)).length).toBe(1)
    await test.grants.synchronise()
    await test.grants.tidy()
    expect((await test.grants.ofAccount(account)).length).toBe(1)
    expect((await readObject(await refresh(tokens[1]))).error).toBe('invalid_grant')
    expect((await refresh(used)).status).toBe(200)
  })

  it('in use is not replaced by another one of the same client, however many there are', async () => {
    await using test = await createTestGate({ endpoints: [ENDPOINT] })
    const who = somebody()
    const account = { issuer: ISSUER, sub: String(who.sub) }
    const cookie = await test.signIn(who)
    const client = createTestClient(test)
    const { cookie: renewed } = await client.decide(cookie, await client.show(cookie))
    const [first] = await test.grants.ofAccount(account)
    if (first === undefined) throw new Error('no grant')
    const consent = { session: first.session, account, client: CLAUDE_CODE, name: 'Claude Code', binding: '' }
    for (let n = 0; n < 49; n += 1)
      expect(await test.grants.begin(consent)).toMatchObject({ code: expect.any(String) })
    test.state.nowMs += 61_000
    const refused = await client.decide(renewed, await client.show(renewed))
    expect([refused.response.status, refused.location]).toEqual([400, null])
    test.state.nowMs += DAY_MS
    for (const grant of await test.grants.ofAccount(account))
      if (grant.id !== first.id) test.grants.noteUse(grant)
    expect(await test.grants.begin(consent)).toMatchObject({ code: expect.any(String) })
    const left = (await test.grants.ofAccount(account)).map(({ id }) => id)
    expect([left.length, left.includes(first.id)]).toEqual([50, false])
  })

  it('outlives the browser that made it, and ends when its reader signs out everywhere', async () => {
    const client = createTestClient(portal)
    const who = somebody()
    const cookie = await portal.signIn(who)
    const { location, cookie: renewed } = await client.decide(cookie, await client.show(cookie))
    const { access_token } = await readObject(
      await client.token({ code: location?.searchParams.get('code') ?? '' }),
    )
    const end = (path: string) =>
      portal.ask(path, { method: 'DELETE', headers: { Cookie: renewed, Origin: ORIGIN.origin } })
    expect((await end(ROUTES.session.path)).status).toBe(204)
    expect([await portal.statusFor(renewed), await MCP(access_token)]).toEqual([401, 200])
    portal.state.nowMs += 1_000
    const again = await portal.signIn(who)
    await portal.ask(ROUTES.sessions.path, {
      method: 'DELETE',
      headers: { Cookie: again, Origin: ORIGIN.origin },
    })
    expect(await MCP(access_token)).toBe(401)
  })
})

describe('a client that registers itself', () => {
  it('outlives its grant, and is told to register again once it is forgotten', async () => {
    await using test = await createTestGate({ endpoints: [ENDPOINT] })
    const client = createTestClient(test)
    const client_id = String(
      (await readObject(await register({ redirect_uris: [CALLBACK] }, test))).client_id,
    )
    const tokens = await client.tokens(await test.signIn(somebody()), { client_id })
    const refresh = () =>
      client.token({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token), client_id })
    const wait = async (days: number) => {
      test.state.nowMs += days * 86_400_000
      await test.grants.tidy()
    }
    await wait(31)
    const late = await refresh()
    expect([late.status, (await readObject(late)).error]).toEqual([400, 'invalid_grant'])
    const again = await client.tokens(await test.signIn(somebody()), { client_id })
    expect(again.access_token).toBeDefined()
    await wait(91)
    const forgotten = await refresh()
    expect([forgotten.status, (await readObject(forgotten)).error]).toEqual([401, 'invalid_client'])
    const page = await client.show(await test.signIn(somebody()), { client_id })
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('.mcp-auth')])
    const renewed = String((await readObject(await register({ redirect_uris: [CALLBACK] }, test))).client_id)
    expect(
      (await client.tokens(await test.signIn(somebody()), { client_id: renewed })).access_token,
    ).toBeDefined()
  })

  it.each<[string, unknown, string]>([
    ['no address', { client_name: 'x' }, 'invalid_client_metadata'],
    ['an empty list', { redirect_uris: [] }, 'invalid_client_metadata'],
    ['numbers', { redirect_uris: [1] }, 'invalid_client_metadata'],
    ['a name that is none', { redirect_uris: [CALLBACK], client_name: 1 }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['http elsewhere', { redirect_uris: ['http://evil.test/'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ])('with %s is refused', async (_what, body, error) => {
    portal.state.nowMs += 3_600_000
    expect(await readObject(await register(body))).toMatchObject({ error })
  })

  it('does so ten times an hour from one address', async () => {
    portal.state.nowMs += 3_600_000
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1)
      statuses.push((await register({ client_name: `client ${n}`, redirect_uris: [CALLBACK] })).status)
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429])
  })

  it('shares one entry with all that say the same, whatever their loopback port, and that costs nothing', async () => {
    portal.state.nowMs += 3_600_000
    const ids = new Set<unknown>()
    for (let n = 0; n < 25; n += 1) {
      const redirect_uris = [`http://127.0.0.1:${50_000 + n}/callback`]
      const answer = await readObject(await register({ client_name: 'Same', redirect_uris }))
      expect(answer.redirect_uris).toEqual(redirect_uris)
      ids.add(answer.client_id)
    }
    expect([ids.size, typeof [...ids][0]]).toEqual([1, 'string'])
    const lines = (await portal.records()).filter(
      ({ event, name }) => event === 'agent_registered' && name === 'Same',
    )
    expect(lines.length).toBeLessThanOrEqual(1)
    for (const other of [{ client_name: 'Other' }, { client_name: 'Same', redirect_uris: [ELSEWHERE] }]) {
      const answer = await register({ redirect_uris: ['http://127.0.0.1:1/callback'], ...other })
      expect(ids.has((await readObject(answer)).client_id)).toBe(false)
    }
    const [client_id, client] = [String([...ids][0]), createTestClient(portal)]
    const asked = { client_id, redirect_uri: 'http://127.0.0.1:61234/callback' }
    expect((await client.tokens(await portal.signIn(somebody()), asked)).access_token).toBeDefined()
  })
})

describe('56 a flood', () => {
  it('of codes or tokens from one address waits, and other addresses do not', async () => {
    await using test = await createTestGate()
    const client = createTestClient(test)
    const answers = await Promise.all(Array.from({ length: 125 }, () => client.token({ code: 'x' })))
    const refused = answers.filter(({ status }) => status === 429)
    expect([refused.length, refused[0]?.headers.get('retry-after')]).toEqual([5, '1'])
    const elsewhere = await test.gate(new Request('https://portal.test/oauth/token', { method: 'POST' }), {
      clientAddress: '198.51.100.7',
    })
    expect(elsewhere.status).toBe(400)
  })

  it('of junk from one address holds up no client there, and says when to come again', async () => {
    await using test = await createTestGate({ endpoints: [ENDPOINT] })
    const client = createTestClient(test)
    const code = await client.consent(await test.signIn(somebody()))
    const junk = () =>
      client.token({ grant_type: 'refresh_token', refresh_token: `sekisho_refresh_${'A'.repeat(80)}` })
    for (let n = 0; n < 120; n += 1) await junk()
    const refused = await junk()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await readObject(refused)).toMatchObject({ error: 'slow_down' })
    const first = await readObject(await client.token({ code }))
    expect(first.access_token).toBeDefined()
    let token = String(first.refresh_token)
    const refresh = () => client.token({ grant_type: 'refresh_token', refresh_token: token })
    for (let n = 0; n < 29; n += 1) token = String((await readObject(await refresh())).refresh_token)
    const often = await refresh()
    expect([often.status, often.headers.get('retry-after'), (await readObject(often)).error]).toEqual([
      ...[429, '10', 'slow_down'],
    ])
    test.state.nowMs += 10_000
    const { access_token } = await readObject(await refresh())
    test.state.nowMs += 10_000
    for (let n = 0; n < 120; n += 1) await junk()
    expect((await junk()).status).toBe(429)
    const returned = await test.ask(AGENT_ROUTES.revoke.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: String(access_token), client_id: CLAUDE_CODE }).toString(),
    })
    expect(returned.status).toBe(200)
  })

  it('of requests to be asked, by one reader, waits', async () => {
    const client = createTestClient(portal)
    const cookie = await portal.signIn(somebody())
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) statuses.push((await client.show(cookie)).status)
    expect(statuses.at(-2)).toBe(200)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the operator', () => {
  it('lists who may ask; then nobody registers, and others are unknown', async () => {
    const allowed = new Set(['vscode.dev', CLAUDE_CODE])
    await using test = await createTestGate({ agentRules: { own: new Map(), allowed } })
    const client = createTestClient(test)
    const cookie = await test.signIn(somebody())
    const codex = {
      client_id: 'https://chatgpt.com/oauth/codex/client.json',
      redirect_uri: 'http://localhost:1/callback',
    }
    const vscode = {
      client_id: 'https://vscode.dev/oauth/client-metadata.json',
      redirect_uri: 'https://vscode.dev/redirect',
    }
    const other = { client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata' }
    const shown = [
      await client.show(cookie),
      await client.show(cookie, vscode),
      await client.show(cookie, codex),
    ]
    expect([...shown, await client.show(cookie, other)].map(({ status }) => status)).toEqual([
      200, 200, 400, 400,
    ])
    expect((await test.ask(AGENT_ROUTES.register.path, { method: 'POST' })).status).toBe(404)
    const server = await readObject(await test.ask(AGENT_ROUTES.authorizationServer.path))
    expect(server).not.toHaveProperty('registration_endpoint')
  })
})

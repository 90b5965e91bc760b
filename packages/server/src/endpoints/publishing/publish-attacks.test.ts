import { hash } from 'node:crypto'
import type { PublisherRight, PublishTarget } from '@sekisho/contract/publishing'
import { MAX_PARTS_BODY_BYTES } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { listReleaseIds } from '@sekisho/release'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../state/publishers/index.ts'
import { createSeal } from '../../state/sessions/index.ts'
import {
  createTestPublishing,
  lastRecord,
  PORTAL,
  PUBLISH_TOKEN,
  portal,
  type TestPublishing,
  usePublishing,
} from '../../testing/test-publishing.ts'
import type { PublishApiOptions } from './publish-api.ts'
import { createPublishTickets } from './tickets.ts'

usePublishing()

/** Attack of a stranger or another publisher: refused, recorded, and successful at the gate broken for it. */
interface Attack {
  readonly name: string
  readonly reason: string
  /** The answer to be had by it where it succeeds is 200. */
  readonly run: (portal: TestPublishing) => Promise<{ readonly status: number }>
  readonly broken: (parts: PublishApiOptions) => Partial<PublishApiOptions>
}

const believesAll = (): Partial<PublishApiOptions> => ({
  admit: async (credentials) => ({
    ok: true,
    publisher: {
      ...{ by: String(decodeJwt(credentials).sub), owner: 'x' },
      may: ['publish', 'rollback', 'preview'],
      token: null,
    },
  }),
})
const byClaims = (reason: string, name: string, claims: Record<string, unknown>): Attack => ({
  name,
  reason,
  run: async (gate) => gate.begin(await gate.jobToken(claims)),
  broken: believesAll,
})
const nowSeconds = Date.parse('2026-11-21T00:00:00Z') / 1_000

const ATTACKS: readonly Attack[] = [
  byClaims('repository', 'another repository of the same name', { repository_id: '9999' }),
  byClaims('repository', 'a repository id that is no text', { repository_id: 4711 }),
  byClaims('repository', 'a GitLab project with the id of the repository', {
    repository_id: undefined,
    project_id: '4711',
  }),
  byClaims('ref', 'a tag', { ref: 'refs/tags/main' }),
  byClaims('ref', 'a ref without its beginning', { ref: 'main' }),
  byClaims('ref', 'a pull request', { ref: 'refs/pull/7/merge', event_name: 'pull_request' }),
  byClaims('event', 'a job that a fork’s pull request started on the target', {
    event_name: 'pull_request_target',
  }),
  byClaims('event', 'a job that another workflow started', { event_name: 'workflow_run' }),
  byClaims('event', 'a comment', { event_name: 'issue_comment' }),
  byClaims('event', 'a job without an event', { event_name: undefined }),
  byClaims('issuer', 'another issuer', { iss: 'https://ci.test.evil.example' }),
  byClaims('issuer', 'a list of issuers', { iss: ['https://ci.test'] }),
  byClaims('claims', 'another audience', { aud: 'https://other.test' }),
  byClaims('malformed', 'a list of audiences', { aud: [PORTAL.origin, 'https://other.test'] }),
  byClaims('expired', 'an old token', { iat: nowSeconds - 900, exp: nowSeconds - 600 }),
  byClaims('claims', 'a token of the future', { iat: nowSeconds + 900, exp: nowSeconds + 1_200 }),
  byClaims('claims', 'a token for ever', { exp: nowSeconds + 10 * 86_400 }),
  byClaims('claims', 'a token without an id', { jti: undefined }),
  byClaims('malformed', 'a token that brings its key', { signed: { jwk: { kty: 'RSA' } } }),
  {
    name: 'a forged signature',
    reason: 'signature',
    run: async (gate) => gate.begin(forged(await gate.jobToken())),
    broken: believesAll,
  },
  {
    name: 'a token without a signature',
    reason: 'malformed',
    run: async (gate) => gate.begin(unsigned(await gate.jobToken())),
    broken: believesAll,
  },
  {
    name: 'a token that was used',
    reason: 'replayed',
    async run(gate) {
      const token = await gate.jobToken()
      await gate.begin(token)
      return gate.begin(token)
    },
    broken: believesAll,
  },
  {
    name: 'a publish token that nobody made',
    reason: 'token',
    run: (gate) => gate.begin(`${PUBLISH_TOKEN}x`),
    broken: () => ({
      admit: async () => ({ ok: true, publisher: { by: 'x', owner: 'x', may: ['publish'], token: null } }),
    }),
  },
  {
    name: 'a publish token that expired',
    reason: 'expired',
    run(gate) {
      gate.state.nowMs += 2 * 86_400_000
      return gate.begin(PUBLISH_TOKEN)
    },
    broken: ({ admit }) => ({
      admit: async (credentials) => {
        const admission = await admit(credentials)
        const publisher = { by: 'x', owner: 'x', may: ['publish'], token: null } as const
        return admission.ok ? admission : { ok: true, publisher }
      },
    }),
  },
  {
    name: 'a ticket whose publish token was removed',
    reason: 'token',
    async run(gate) {
      const { ticket } = await gate.ticket(PUBLISH_TOKEN)
      await gate.store.removeToken('ab12')
      return gate.ask(ROUTES.publishReleases, {}, ticket)
    },
    broken: () => ({ store: { hasToken: async () => true } }),
  },
  {
    name: 'a ticket of an hour ago',
    reason: 'ticket',
    async run(gate) {
      const { ticket } = await gate.ticket(PUBLISH_TOKEN)
      gate.state.nowMs += 3_600_000
      return gate.ask(ROUTES.publishReleases, {}, ticket)
    },
    broken: () => ({ tickets: createPublishTickets({ seal: createSeal('s'.repeat(32)), now: () => 0 }) }),
  },
  {
    name: 'a ticket that no gate closed',
    reason: 'ticket',
    run: (gate) => gate.ask(ROUTES.publishReleases, {}, writtenByHand(gate.state.nowMs + 60_000)),
    broken: ({ tickets }) => ({ tickets: { ...tickets, read: readUnchecked } }),
  },
  {
    name: 'production, by a branch that may preview',
    reason: 'not_allowed',
    run: async (gate) => gate.begin(await gate.jobToken({ ref: 'refs/heads/topic' })),
    broken: believesAll,
  },
  {
    name: 'a preview, by a branch that may publish only',
    reason: 'not_allowed',
    run: async (gate) =>
      gate.begin(await gate.jobToken(), { preview: 'topic', branch: 'topic', commit: 'abcdef0' }),
    broken: believesAll,
  },
]

/** Its first signature, over other claims. */
function forged(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const other = Buffer.from(JSON.stringify({ ...claims, actor: 'somebody' })).toString('base64url')
  return `${header}.${other}.${signature}`
}
function unsigned(token: string): string {
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`
}
function readUnchecked(text: string) {
  return JSON.parse(Buffer.from(text.slice(15), 'base64url').toString())
}
function writtenByHand(expiresAtMs: number): string {
  const may = ['publish', 'rollback']
  const ticket = { by: 'somebody', owner: 'somebody', may, target: 'production', token: null, expiresAtMs }
  return `sekisho_ticket_${Buffer.from(JSON.stringify(ticket)).toString('base64url')}`
}

describe('no one else publishes', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    '%s',
    async (_name, { run, reason, broken }) => {
      const answer = await run(portal)
      expect(answer.status).toBe(reason === 'not_allowed' ? 403 : 401)
      expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason, client: '192.0.2.1' })
      expect(await listReleaseIds(portal.portalDir)).toEqual([])

      await using gate = await createTestPublishing(broken)
      expect((await run(gate)).status, 'the broken gate').toBe(200)
    },
  )

  it('without credentials every route returns the same response, whatever the cookies', async () => {
    const bodies = new Set<string>()
    for (const route of Object.values(ROUTES).filter(({ access }) => access === 'publisher')) {
      const [method = 'GET'] = route.methods
      const asked = await portal.ask(route, { method, headers: { Cookie: '__Host-sekisho=x' } })
      expect(asked.status).toBe(401)
      bodies.add(await asked.text())
    }
    expect([...bodies]).toEqual([
      '{"type":"about:blank","title":"Publisher credentials required","status":401,"code":"publisher_required"}',
    ])
    expect(portal.records).toEqual([])
  })

  it('answers a flood of wrong credentials with 429, and a right one still', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 25; attempt += 1)
      statuses.push((await portal.begin(`sekisho_publish_${attempt}`)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await portal.begin(PUBLISH_TOKEN)).status).toBe(200)
    portal.state.nowMs += 3_000
    expect((await portal.begin('sekisho_publish_later')).status).toBe(401)
  })

  it('lets long bodies in for holders of a ticket only, on one route only', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const limit = (path: string, credentials: string) =>
      portal.maxBodyBytes(path, { Authorization: `Bearer ${credentials}` })
    expect(limit(ROUTES.publishParts.path, ticket)).toBe(MAX_PARTS_BODY_BYTES)
    expect(limit(ROUTES.publishParts.path, PUBLISH_TOKEN)).toBe(0)
    expect(limit(ROUTES.publishCommit.path, ticket)).toBe(0)
    expect(limit(ROUTES.search.path, ticket)).toBe(0)
  })
})

describe('a ticket lets do what its publisher may', () => {
  async function ticketThatMay(may: readonly PublisherRight[], target?: PublishTarget): Promise<string> {
    const token = `sekisho_publish_${may.join('_')}`
    await portal.store.addToken(digestOf(token), {
      ...{ id: 'cd34', name: 'limited', may },
      ...{ createdAtMs: portal.state.nowMs, expiresAtMs: portal.state.nowMs + 86_400_000 },
    })
    return (await portal.ticket(token, target)).ticket
  }

  it('nothing is sent, planned or published with the right to roll back', async () => {
    const { id, manifest, frames } = await portal.pack('one')
    const plan = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
    const ticket = await ticketThatMay(['rollback'])
    const asked = [
      portal.sendFrames(ticket, frames.slice(0, 1)),
      portal.post(ROUTES.publishPlan, ticket, plan),
      portal.post(ROUTES.publishCommit, ticket, { ...plan, from: null }),
    ]
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await portal.portal.uploads.list()).toEqual([])
  })

  it.each([
    ['with the right to publish only', ['publish'], undefined],
    ['of a preview', ['preview', 'rollback'], { preview: 'topic', branch: 'topic', commit: 'abcdef0' }],
  ] as const)('nothing is rolled back %s', async (_name, may, target) => {
    const release = await portal.pack('one')
    await portal.publish(release, await portal.ticket(PUBLISH_TOKEN))
    await portal.publish(await portal.pack('two'), await portal.ticket(PUBLISH_TOKEN))
    const ticket = await ticketThatMay(may, target)
    expect((await portal.post(ROUTES.publishReleases, ticket, { id: release.id })).status).toBe(403)
    expect((await portal.portal.readPointer()).id).not.toBe(release.id)
  })
})

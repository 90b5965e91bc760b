import { hash } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { MAX_PARTS_BODY_BYTES } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { isIntact, listReleaseIds, PART_BYTES, writeFrames } from '@sekisho/release'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createTestPublishing,
  framesOfBytes,
  type PackedRelease,
  PORTAL,
  PUBLISH_RULES,
  PUBLISH_TOKEN,
  type TestPublishing,
} from '../testing/test-publishing.ts'
import type { PublishApiOptions } from './publish-api.ts'
import { publishRulesFile, readPublishRules } from './publish-rules.ts'

let portal: TestPublishing

beforeEach(async () => {
  portal = await createTestPublishing()
})
afterEach(() => portal[Symbol.asyncDispose]())

const lastRecord = ({ records }: TestPublishing) => records.at(-1)

describe('a release', () => {
  it('is sent by a job of the CI, served whole, and recorded with who sent it', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(await portal.jobToken())
    expect(begun).toMatchObject({ served: null, manifest: null })
    const answer = await portal.publish(release, begun)
    expect([answer.status, await answer.json()]).toEqual([200, { state: 'served', othersLookEveryMs: 1_000 }])
    expect((await portal.portal.readPointer()).id).toBe(release.id)
    expect(await isIntact(portal.portalDir, release.id)).toBe(true)
    expect(lastRecord(portal)).toMatchObject({
      event: 'release_published',
      release: release.id,
      before: null,
      by: 'https://ci.test example/docs (4711) refs/heads/main',
      target: 'production',
    })
    expect(await readdir(join(portal.portalDir, '.uploads'))).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}\.0$/),
    ])
  })

  it('sends of the next one what changed, and nothing of a preview of it', async () => {
    const begun = await portal.ticket(PUBLISH_TOKEN)
    await portal.publish(await portal.pack('one'), begun)
    const second = await portal.pack('two')
    const again = await portal.ticket(PUBLISH_TOKEN)
    const plan = await planOf(second, again.ticket)
    expect(plan.unsent.length).toBe(4) // the page, plain and in three encodings
    await portal.publish(second, again)
    const target = { preview: 'topic-1', branch: 'topic', commit: 'abcdef0123' }
    const preview = await portal.ticket(PUBLISH_TOKEN, target)
    expect(preview.served).toBeNull()
    expect((await planOf(second, preview.ticket)).unsent).toEqual([])
    expect((await portal.publish(second, preview)).status).toBe(200)
    expect((await portal.previews.open('topic-1').readPointer()).id).toBe(second.id)
    expect(await portal.previews.list()).toMatchObject([{ name: 'topic-1', branch: 'topic' }])
    expect((await portal.portal.readPointer()).id).toBe(second.id)
  })

  async function planOf({ id, manifest }: PackedRelease, ticket: string) {
    await portal.sendFrames(ticket, framesOfBytes(manifest))
    const request = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
    return (await (await portal.post(ROUTES.publishPlan, ticket, request)).json()) as { unsent: number[] }
  }

  it('goes on where a broken attempt stopped, also with another ticket', async () => {
    const release = await portal.pack('one')
    const first = await portal.ticket(PUBLISH_TOKEN)
    await portal.sendFrames(first.ticket, release.frames.slice(0, 10))
    const second = await portal.ticket(await portal.jobToken())
    const before = release.frames.length
    expect((await planOf(release, second.ticket)).unsent.length).toBe(before - 10)
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is served only over the one its publisher saw', async () => {
    const begun = await portal.ticket(PUBLISH_TOKEN)
    await portal.publish(await portal.pack('one'), begun)
    const late = await portal.publish(await portal.pack('two'), begun)
    expect([late.status, await late.json()]).toMatchObject([409, { refused: 'pointer_moved' }])
    expect(lastRecord(portal)).toMatchObject({ event: 'publish_refused', reason: 'pointer_moved' })
  })

  it('is said to be served when it is: a gate that cannot yet says that it is published', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    portal.state.isServing = false
    const answer = await portal.publish(release, begun)
    expect(await answer.json()).toEqual({ state: 'published' })
    expect((await portal.portal.readPointer()).id).toBe(release.id)
    const request = { id: release.id, sha256: hash('sha256', release.manifest), from: null }
    const askAgain = async () => {
      const body = { ...request, bytes: release.manifest.length }
      return (await portal.post(ROUTES.publishCommit, begun.ticket, body)).json()
    }
    const rollBack = async () =>
      (await portal.post(ROUTES.publishReleases, begun.ticket, { id: release.id })).json()
    expect([await askAgain(), await rollBack()]).toEqual([{ state: 'published' }, { state: 'published' }])
    portal.state.isServing = true
    const served = { state: 'served', othersLookEveryMs: 1_000 }
    expect([await askAgain(), await rollBack()]).toEqual([served, served])
    expect(portal.records.filter(({ event }) => event === 'release_published')).toHaveLength(1)
  })

  it('is rolled back by whoever has the right, within one request, and recorded', async () => {
    const one = await portal.pack('one')
    await portal.publish(one, await portal.ticket(PUBLISH_TOKEN))
    await portal.publish(await portal.pack('two'), await portal.ticket(PUBLISH_TOKEN))
    const { ticket } = await portal.ticket(await portal.jobToken())
    const listed = await portal.ask(ROUTES.publishReleases, {}, ticket)
    expect(await listed.json()).toMatchObject({ releases: [{}, { id: one.id }] })
    expect((await portal.post(ROUTES.publishReleases, ticket, { id: one.id })).status).toBe(200)
    expect((await portal.portal.readPointer()).id).toBe(one.id)
    expect(lastRecord(portal)).toMatchObject({ event: 'release_rolled_back', release: one.id })
    const absent = await portal.post(ROUTES.publishReleases, ticket, { id: '20200101T000000Z-00000000' })
    expect([absent.status, await absent.json()]).toMatchObject([404, { refused: 'release_missing' }])
  })
})

/** What strangers and other publishers try: each is refused, recorded, and gets through the gate that was broken for it. */
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
      by: String(decodeJwt(credentials).sub),
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
      admit: async () => ({ ok: true, publisher: { by: 'x', may: ['publish'], token: null } }),
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
        const publisher = { by: 'x', may: ['publish'], token: null } as const
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
    broken: ({ tickets }) => ({ tickets: { ...tickets, read: readUnchecked } }),
  },
  {
    name: 'a ticket with another right written into it',
    reason: 'ticket',
    async run(gate) {
      const { ticket } = await gate.ticket(await gate.jobToken({ ref: 'refs/heads/topic' }), {
        ...{ preview: 'topic', branch: 'topic', commit: 'abcdef0' },
      })
      return gate.ask(ROUTES.publishReleases, {}, withTarget(ticket))
    },
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
  return JSON.parse(Buffer.from(text.slice(15).split('.')[0] ?? '', 'base64url').toString())
}
function withTarget(ticket: string): string {
  const changed = { ...readUnchecked(ticket), target: 'production', may: ['publish', 'rollback'] }
  return `sekisho_ticket_${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${ticket.split('.')[1]}`
}

describe('nobody else publishes', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    '%s',
    async (_name, { run, reason, broken }) => {
      const answer = await run(portal)
      expect(answer.status).toBe(reason === 'not_allowed' ? 403 : 401)
      expect(lastRecord(portal)).toMatchObject({ event: 'publish_refused', reason, client: '192.0.2.1' })
      expect(await listReleaseIds(portal.portalDir)).toEqual([])

      await using gate = await createTestPublishing(broken)
      expect((await run(gate)).status, 'the broken gate').toBe(200)
    },
  )

  it('whoever has no credentials is told one thing on every route, whatever cookies come along', async () => {
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

describe('what is sent', () => {
  async function sendManifest(change: (text: string) => string) {
    const release = await portal.pack('one')
    const manifest = Buffer.from(change(release.manifest.toString()))
    const id = release.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
    return portal.publish({ ...release, id, manifest }, await portal.ticket(PUBLISH_TOKEN))
  }
  const page = '"/files/manual.pdf":' // no redirect leads there

  it.each([
    ['a path the gate keeps for itself', page, '"/__gate/session":'],
    ['a path that climbs', page, '"/docs/../manual.pdf":'],
    ['a path that servers read in two ways', page, '"/docs%2fmanual.pdf":'],
    ['an older format', '"format":2', '"format":1'],
    ['a page as a resource', '"delivery":"page"', '"delivery":"resource"'],
    ['a picture that may script', '"delivery":"isolated"', '"delivery":"resource"'],
    ['an unknown key', '"site":', '"more":1,"site":'],
    ['a header within a type', 'text/html; charset=utf-8', 'text/html\\r\\nX: y'],
  ])('is refused and recorded: %s', async (_name, from, to) => {
    const answer = await sendManifest((text) => text.replace(from, to))
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'release_refused' }])
    expect(lastRecord(portal)).toMatchObject({ event: 'publish_refused', reason: 'release_refused' })
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is refused when it is not what its hash says, in whichever place', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    const [first, ...rest] = release.frames
    if (first === undefined) throw new Error('a release without files')
    const altered = { ...first, payload: Buffer.from(first.payload).fill(7, 0, 1) }
    const answer = await portal.publish({ ...release, frames: [altered, ...rest] }, begun)
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
    expect(lastRecord(portal)).toMatchObject({ event: 'publish_refused', reason: 'other_bytes' })
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is refused when a compressed file unpacks to something else', async () => {
    const release = await portal.pack('one')
    const other = brotliCompressSync(Buffer.from('<p>another page for some browsers</p>'))
    const changed = { sha256: hash('sha256', other), bytes: other.length }
    const text = release.manifest.toString()
    const [, stored = ''] = /"br":(\{[^}]*\})/.exec(text) ?? []
    const manifest = Buffer.from(text.replaceAll(stored, JSON.stringify(changed)))
    const id = release.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
    const frames = release.frames.map((frame) =>
      stored.includes(frame.sha256) ? (framesOfBytes(other)[0] ?? frame) : frame,
    )
    const answer = await portal.publish({ id, manifest, frames }, await portal.ticket(PUBLISH_TOKEN))
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is not served while a file is missing, nor when its parts were altered where they wait', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    const request = {
      id: release.id,
      sha256: hash('sha256', release.manifest),
      bytes: release.manifest.length,
    }
    await portal.sendFrames(begun.ticket, [...framesOfBytes(release.manifest), ...release.frames.slice(1)])
    const commit = () => portal.post(ROUTES.publishCommit, begun.ticket, { ...request, from: null })
    expect(await (await commit()).json()).toEqual({ state: 'unsent' })
    const [first] = release.frames
    await portal.portal.uploads.write(`${first?.sha256}.0`, new Uint8Array(first?.payload.length ?? 0))
    expect(await (await commit()).json()).toMatchObject({ refused: 'other_bytes' })
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
    expect((await portal.portal.readPointer()).id).toBeNull()
  })

  it('is forgotten after a day, and never more than there is room for', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    await portal.sendFrames(ticket, framesOfBytes(Buffer.from('left behind')))
    const folder = join(portal.portalDir, '.uploads')
    const [name = ''] = await readdir(folder)
    const yesterday = portal.state.nowMs / 1_000 - 90_000
    await utimes(join(folder, name), yesterday, yesterday)
    await portal.ticket(PUBLISH_TOKEN)
    expect(await readdir(folder)).toEqual([])

    const statuses: number[] = []
    for (let part = 0; part < 130; part += 1) {
      const payload = Buffer.alloc(PART_BYTES)
      const frame = { sha256: 'ab'.repeat(32), bytes: 200 * PART_BYTES, part, base: null, payload }
      statuses.push((await portal.sendFrames(ticket, [frame])).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 507])
  })

  it('is refused as a bad request when it is no whole frames', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const body = new Uint8Array(writeFrames(framesOfBytes(Buffer.from('x'))).subarray(0, 40))
    const send = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
      portal.ask(
        ROUTES.publishParts,
        { method: 'POST', body: bytes, headers: { 'Content-Type': type } },
        ticket,
      )
    expect((await send(body, 'application/vnd.sekisho.parts+zstd')).status).toBe(400)
    expect((await send(body, 'application/json')).status).toBe(400)
  })
})

describe('rules', () => {
  it.each([
    ['a name in the place of the number', { repository_id: 'example/docs' }],
    ['both a repository and a project', { project_id: '1' }],
    ['a branch without refs/', { ref: 'main' }],
    ['every branch for production', { ref: 'refs/heads/*' }],
    ['an issuer over http', { issuer: 'http://ci.test' }],
    ['an unknown right', { may: ['everything'] }],
    ['no right', { may: [] }],
    ['an unknown key', { branch: 'main' }],
  ])('refuse %s', (_name, change) => {
    const rule = {
      issuer: 'https://ci.test',
      repository_id: '4711',
      ref: 'refs/heads/main',
      may: ['publish'],
    }
    const read = (one: object) => {
      const problems: string[] = []
      readPublishRules(JSON.stringify({ rules: [one] }), problems)
      return problems
    }
    expect(read(rule)).toEqual([])
    expect(read({ ...rule, ...change })).not.toEqual([])
  })

  it('of a file count from the next request; one that is wrong or gone lets no job publish', async () => {
    const file = join(portal.build.root, 'rules.json')
    const rules = publishRulesFile(file)
    const rule = { issuer: 'https://ci.test', project_id: '42', ref: 'refs/heads/main', may: ['publish'] }
    expect(rules).toThrow('cannot be read')
    await writeFile(file, JSON.stringify({ rules: [rule] }))
    expect(rules()).toHaveLength(1)
    await writeFile(file, JSON.stringify({ rules: [rule, rule] }))
    expect(rules()).toHaveLength(2)
    await writeFile(file, JSON.stringify({ rules: [{ ...rule, ref: 'main' }] }))
    expect(rules).toThrow('cannot be read')
  })

  it('the fixture has the ones its tests are about', () => {
    expect(PUBLISH_RULES.map(({ ref }) => ref)).toEqual(['refs/heads/main', 'refs/heads/*'])
  })
})

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import type { BeginResponse, PlanResponse, PublishTarget } from '@sekisho/contract/publishing'
import { PARTS_TYPE } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import {
  allStoredFiles,
  DEFAULT_RETENTION,
  type Frame,
  openPreviewStore,
  openReleaseStore,
  partCount,
  type ReleaseStore,
  readManifest,
  writeFrames,
} from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createReceiver, openServedFiles, type ReceiverOptions } from '@sekisho/release/receiving'
import { createTestBuild, pageHtml, type TestBuild } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { afterEach, beforeEach } from 'vitest'
import type { PublishRule } from '../config/publish-rules.ts'
import { createAdmit } from '../endpoints/publishing/admit-publisher.ts'
import { createCiVerifier } from '../endpoints/publishing/ci-token.ts'
import { createPublishApi, type PublishApiOptions } from '../endpoints/publishing/publish-api.ts'
import { createPublishTickets } from '../endpoints/publishing/tickets.ts'
import { createIndexInspector } from '../endpoints/search/index-inspector.ts'
import { createTestIssuer, type TestIssuer } from '../identity/testing/index.ts'
import type { PublisherStore } from '../state/publishers/index.ts'
import { digestOf, openSqlitePublishers } from '../state/publishers/index.ts'
import { createSeal } from '../state/sessions/index.ts'

export const CI_ISSUER = 'https://ci.test'
export const PORTAL = new URL('https://portal.test')
export const PUBLISH_TOKEN = 'sekisho_publish_of-the-test'

export const PUBLISH_RULES: readonly PublishRule[] = [
  {
    issuer: CI_ISSUER,
    repository: { claim: 'repository_id', id: '4711' },
    ref: 'refs/heads/main',
    may: ['publish', 'rollback'],
    audience: null,
    environment: null,
  },
  {
    issuer: CI_ISSUER,
    repository: { claim: 'repository_id', id: '4711' },
    ref: 'refs/heads/*',
    may: ['preview'],
    audience: null,
    environment: null,
  },
]

/** The publishing routes over a folder, with an issuer, a clock and an operator that the test holds in its hands. */
export interface TestPublishing extends AsyncDisposable {
  readonly build: TestBuild
  /** Store that releases are served from. */
  readonly portal: ReleaseStore
  readonly portalDir: string
  readonly previews: ReturnType<typeof openPreviewStore>
  readonly issuer: TestIssuer
  readonly store: PublisherStore
  /** `isServing`: whether the gate can serve what is published. */
  readonly state: { nowMs: number; isServing: boolean }
  readonly records: Record<string, unknown>[]
  readonly maxBodyBytes: (path: string, headers: Record<string, string>) => number
  /** A token of a job on the branch `main` of the right repository, with some claims changed. */
  jobToken(claims?: Record<string, unknown>): Promise<string>
  ask(route: { readonly path: string }, init: RequestInit, credentials?: string): Promise<GateResponse>
  begin(credentials: string, target?: PublishTarget): Promise<GateResponse>
  ticket(credentials: string, target?: PublishTarget): Promise<BeginResponse>
  post(route: { readonly path: string }, ticket: string, value: object): Promise<GateResponse>
  sendFrames(ticket: string, frames: readonly Frame[]): Promise<GateResponse>
  /** Packs a release in the build's own folder. */
  pack(text: string): Promise<PackedRelease>
  /** Publishes as `sekisho publish` does, without comparing files with older ones. */
  publish(release: PackedRelease, ticket: BeginResponse): Promise<GateResponse>
}

export interface PackedRelease {
  readonly id: string
  readonly manifest: Buffer
  readonly frames: readonly Frame[]
}

export let portal: TestPublishing
export const lastRecord = () => portal.records.at(-1)

/** Gives each test of a file a portal of its own. */
export function usePublishing(): void {
  beforeEach(async () => {
    portal = await createTestPublishing()
  })
  afterEach(() => portal[Symbol.asyncDispose]())
}

/**
 * Makes them.
 * @param changes replaces parts, for tests that break the gate on purpose
 * @param receiving what else the receiver is given
 */
export async function createTestPublishing(
  changes: (parts: PublishApiOptions) => Partial<PublishApiOptions> = () => ({}),
  receiving: (store: ReleaseStore) => Partial<ReceiverOptions> = () => ({}),
): Promise<TestPublishing> {
  await using cleanup = new AsyncDisposableStack()
  const services = await openTestServices(cleanup, receiving)
  const { build, issuer, state, parts } = services
  const api = createPublishApi({ ...parts, ...changes(parts) })
  let jobs = 0
  let requests = 0

  const ask: TestPublishing['ask'] = async (route, init, credentials) => {
    const bound = api.routes.get(route.path.split('?')[0] ?? '')
    if (bound?.access !== 'publisher') throw new Error('no such route')
    const headers = new Headers(init.headers)
    if (credentials !== undefined) headers.set('Authorization', `Bearer ${credentials}`)
    requests += 1
    const request = new Request(PORTAL.origin + route.path, { ...init, headers })
    const context = { clientAddress: '192.0.2.1', requestId: `r${requests}`, isReader: false }
    return bound.answer(request, context, async () => null)
  }
  const post: TestPublishing['post'] = (route, ticket, value) =>
    ask(
      route,
      { method: 'POST', body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } },
      ticket,
    )
  const begin: TestPublishing['begin'] = (credentials, target = 'production') =>
    post(ROUTES.publish, credentials, { target })
  const sendFrames: TestPublishing['sendFrames'] = (ticket, frames) =>
    ask(
      ROUTES.publishParts,
      {
        method: 'POST',
        body: new Uint8Array(zstdCompressSync(writeFrames(frames))),
        headers: { 'Content-Type': PARTS_TYPE },
      },
      ticket,
    )
  const resources = cleanup.move()
  return {
    ...services,
    maxBodyBytes: (path, headers) =>
      api.maxBodyBytes({ url: PORTAL.origin + path, headers: new Headers(headers) }),
    async jobToken(claims = {}) {
      jobs += 1
      const { iat, exp } = { iat: state.nowMs / 1_000, exp: state.nowMs / 1_000 + 300 }
      const names = { repository: 'example/docs', repository_id: '4711', ref: 'refs/heads/main' }
      const { signed, ...rest } = claims
      const all = {
        ...{ iss: CI_ISSUER, aud: PORTAL.origin, sub: 'repo:example/docs', jti: `job ${jobs}`, iat, exp },
        ...names,
        event_name: 'push',
        ...{ auth_time: undefined, email: undefined, firebase: undefined, name: undefined },
        ...{ email_verified: undefined },
        ...rest,
      }
      return typeof signed === 'object' ? issuer.sign(all, signed ?? {}) : issuer.sign(all)
    },
    ask,
    begin,
    async ticket(credentials, target) {
      const answer = await begin(credentials, target)
      if (answer.status !== 200) throw new Error(`begin answered ${answer.status}`)
      return (await answer.json()) as BeginResponse
    },
    post,
    sendFrames,
    async pack(text) {
      await build.write('docs/guide/index.html', pageHtml(text))
      const { id } = await packRelease({ ...build, clock: () => (state.nowMs += 60_000) })
      return readPacked(build.releasesDir, id)
    },
    async publish({ id, manifest, frames }, { ticket, served: from }) {
      const request = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
      await sendFrames(ticket, framesOfBytes(manifest))
      const planned = await post(ROUTES.publishPlan, ticket, request)
      if (planned.status !== 200) return planned
      const { unsent } = (await planned.json()) as PlanResponse
      const sent = await sendFrames(
        ticket,
        frames.filter((_, index) => unsent.includes(index)),
      )
      if (sent.status !== 200) return sent
      return post(ROUTES.publishCommit, ticket, { ...request, from })
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** A portal's releases, an issuer, and all that the routes work with. */
async function openTestServices(
  cleanup: AsyncDisposableStack,
  receiving: (store: ReleaseStore) => Partial<ReceiverOptions>,
) {
  const build = cleanup.use(await createTestBuild())
  const state = { nowMs: Date.parse('2026-11-21T00:00:00Z'), isServing: true }
  const now = () => state.nowMs
  const issuer = await createTestIssuer(now)
  const store = openSqlitePublishers(join(build.root, 'publishers.db'))
  cleanup.defer(() => store.close())
  await store.addToken(digestOf(PUBLISH_TOKEN), {
    ...{ id: 'ab12', name: 'laptop', may: ['publish', 'rollback', 'preview'] },
    ...{ createdAtMs: state.nowMs, expiresAtMs: state.nowMs + 86_400_000 },
  })
  const portalDir = join(build.root, 'portal', 'releases')
  const portal = openReleaseStore({ folder: portalDir })
  const previews = openPreviewStore({ folder: join(build.root, 'portal') })
  const served = openServedFiles(portalDir, () => null)
  const records: Record<string, unknown>[] = []
  const answers: Readonly<Record<string, unknown>> = {
    [`${CI_ISSUER}/.well-known/openid-configuration`]: { issuer: CI_ISSUER, jwks_uri: `${CI_ISSUER}/keys` },
    [`${CI_ISSUER}/keys`]: issuer.jwks,
  }
  const fetchFromIssuer = async (url: string | URL | Request) => Response.json(answers[String(url)])
  const verifyCi = createCiVerifier({
    rules: () => PUBLISH_RULES,
    origin: PORTAL,
    fetch: fetchFromIssuer,
    now,
  })
  const audit = {
    record: (event: string, fields: object) => void records.push({ event, ...fields }),
    recordDurably: async (event: string, fields: object) => void records.push({ event, ...fields }),
  }
  const inspector = createIndexInspector()
  cleanup.defer(() => inspector.close())
  const parts: PublishApiOptions = {
    admit: createAdmit({ verifyCi, store, now }),
    store,
    tickets: createPublishTickets({ seal: createSeal('s'.repeat(32)), now }),
    receiver: createReceiver({
      ...{ store: portal, previews, served, now },
      retention: DEFAULT_RETENTION,
      maxBytes: 50_000_000,
      maxEntries: 1_000_000,
      freeBytes: async () => null,
      inspectIndex: inspector.inspect,
      serving: { serves: async () => state.isServing, othersLookEveryMs: () => 1_000 },
      ...receiving(portal),
    }),
    audit,
    now,
  }
  return { build, portal, portalDir, previews, issuer, store, state, records, parts }
}

/** Every stored file of the fixture is small enough to be one part. */
async function readPacked(releasesDir: string, id: string): Promise<PackedRelease> {
  const manifest = await readFile(join(releasesDir, id, 'manifest.json'))
  const frames: Frame[] = []
  for (const { name } of allStoredFiles(readManifest(manifest, id)))
    frames.push(...framesOfBytes(await readFile(join(releasesDir, id, name))))
  return { id, manifest, frames }
}

export function framesOfBytes(payload: Buffer): Frame[] {
  if (partCount(payload.length) !== 1) throw new RangeError('this is for small files')
  return [{ sha256: hash('sha256', payload), bytes: payload.length, part: 0, kind: 'part', payload }]
}

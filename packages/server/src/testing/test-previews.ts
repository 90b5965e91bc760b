import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import type { Preview } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { isPreviewReader } from '../access/preview-policy.ts'
import type { AnswerService } from '../endpoints/answers/answer-service.ts'
import { createHandOverRoutes, type LivePreview } from '../endpoints/previews/hand-over.ts'
import { createPreviewTickets } from '../endpoints/previews/tickets.ts'
import { createFairSearches } from '../endpoints/search/fair-searches.ts'
import { createSearchRunner } from '../endpoints/search/search-runner.ts'
import { createSessionCookies } from '../kernel/client/session-cookies.ts'
import type { Gate } from '../policy.ts'
import { createPreviewGate } from '../preview-gate.ts'
import { createContentPolicy } from '../releases/content-policy.ts'
import { openReleases } from '../releases/open-releases.ts'
import { createSeal } from '../state/sessions/index.ts'
import {
  CLIENT,
  cookieHeaderOf,
  createTestGate,
  NAVIGATION,
  ORIGIN,
  readObject,
  type TestGate,
} from './test-gate.ts'

export const NOW = Date.parse('2026-11-21T00:00:00Z')
const originOf = (name: string) => new URL(`https://${name}--portal.test`)

/** A preview and a browser that visits it: what the browser keeps of each host is kept apart. */
export interface Visited {
  readonly live: LivePreview
  readonly gate: Gate
}

const runner = createSearchRunner()
let build: TestBuild
export let portal: TestGate
let previews: Map<string, Visited>
let cleanup: AsyncDisposableStack
export const tickets = createPreviewTickets({
  seal: createSeal('s'.repeat(32)),
  now: () => portal.state.nowMs,
})

/** Page of the preview's release for operators only. */
export const OPERATORS_PAGE = '/docs/ops'

export async function addPreview(
  name: string,
  changes: Partial<Preview> = {},
  answers: AnswerService | null = null,
): Promise<Visited> {
  const preview: Preview = {
    ...{ name, branch: 'feature/検索', commit: '0123456789abcdef', createdAtMs: NOW },
    ...{ expiresAtMs: NOW + 14 * 86_400_000 },
    ...changes,
  }
  const live = { preview, origin: originOf(name) }
  const gate = createPreviewGate(
    live,
    await openReleases({
      releasesDir: build.releasesDir,
    }),
    {
      portal: ORIGIN,
      tickets,
      searches: createFairSearches(runner),
      answers,
      maxAgeSeconds: 36_000,
      placeOf: () => null,
      timeZone: 'Asia/Tokyo',
      contentPolicy: createContentPolicy([]),
      policy: () => portal.state.policy,
      seal: createSeal('s'.repeat(32)),
      sessions: portal.sessions,
      audit: portal.audit,
      health: () => 'ok',
      observe: (one) => portal.exchanges.push(one),
      now: () => portal.state.nowMs,
    },
  )
  const visited = { live, gate }
  previews.set(name, visited)
  return visited
}

/** Binds the fixture to the tests of a file; what a browser keeps is forgotten between them. */
export function usePreviews(): void {
  beforeAll(async () => {
    build = await createTestBuild()
    await using ops = await createTestBuild()
    for (const one of [build, ops])
      await one.write('docs/guide/index.html', pageHtml('まだ確認されていない本文'))
    const file = `${OPERATORS_PAGE.slice(1)}/index.html`
    await ops.writeSite({ pages: [...SITE.pages, { path: OPERATORS_PAGE, file, title: '運用' }] })
    await ops.write(file, pageHtml('夜間の当番表'))
    const editions = [
      { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
      { name: 'everyone', audiences: [], buildDir: build.buildDir },
    ]
    await packRelease({ editions, dataDir: build.dataDir, clock: () => NOW })
  })
  afterAll(async () => {
    await runner.close()
    await build[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    cleanup = new AsyncDisposableStack()
    previews = new Map()
    const handOver = createHandOverRoutes({
      cookies: createSessionCookies(ORIGIN, 36_000),
      tickets,
      findPreview: (name) => previews.get(name)?.live ?? null,
      isPreviewReader,
    })
    portal = cleanup.use(await createTestGate({ endpoints: [handOver] }))
  })
  afterEach(() => cleanup.disposeAsync())
}

export async function ask(visited: Visited, path: string, init: RequestInit = {}): Promise<GateResponse> {
  return visited.gate(new Request(visited.live.origin.origin + path, init), CLIENT)
}
export function post(visited: Visited, path: string, body: unknown, cookie: string, headers = {}) {
  const own = { Origin: visited.live.origin.origin, 'Content-Type': 'application/json', Cookie: cookie }
  return ask(visited, path, { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) })
}

let signIns = 0
export const signIn = (claims = {}) => portal.signIn({ jti: `preview ${++signIns}`, ...claims })

/** Response to a browser without cookies at the start of its visit. */
export async function begin(visited: Visited, cookie = '') {
  const response = await ask(visited, PREVIEW_ROUTES.begin.path, {
    method: 'POST',
    headers: { Origin: visited.live.origin.origin, Cookie: cookie },
  })
  const { location } = await readObject(response)
  return { nonce: cookieHeaderOf(response), asked: new URL(String(location)) }
}
export const show = (asked: URL, cookie: string) =>
  portal.ask(asked.pathname + asked.search, { headers: { ...NAVIGATION, Cookie: cookie } })
export const submit = (asked: URL, cookie: string, headers = {}) =>
  portal.ask(ROUTES.handOver.path, {
    method: 'POST',
    headers: {
      ...{ Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie },
      ...headers,
    },
    body: asked.searchParams.toString(),
  })
export async function ticketFor(asked: URL, cookie: string): Promise<string> {
  const text = await (await submit(asked, cookie)).text()
  return /name="ticket" value="([\w-]+)"/.exec(text)?.[1] ?? expect.fail(text)
}
export const enter = (visited: Visited, ticket: string, nonce: string, headers = {}) =>
  post(visited, PREVIEW_ROUTES.enter.path, { ticket }, nonce, headers)
/** All of it; resolves to the Cookie header of the preview's session. */
export async function handOver(visited: Visited, cookie: string): Promise<string> {
  const { nonce, asked } = await begin(visited)
  const response = await enter(visited, await ticketFor(asked, cookie), nonce)
  expect(response.status).toBe(204)
  return cookieHeaderOf(response)
}
export const read = (visited: Visited, cookie: string, path = '/docs/guide') =>
  ask(visited, path, { headers: { ...NAVIGATION, Cookie: cookie } })

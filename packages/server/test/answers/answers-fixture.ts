import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, type TestBuild } from '@sekisho/release/testing'
// biome-ignore lint/style/noRestrictedImports: the test makes an index of its own, as a release would hold one
import { buildIndex } from '@sekisho/search/indexer'
import type { AnswerEvent } from '../../src/answers/answer.ts'
import type { Reading } from '../../src/audit/index.ts'
import type { AnswerConfig } from '../../src/config/answer-settings.ts'
import { createAnswerRoutes } from '../../src/endpoints/answers/answer-routes.ts'
import { type AnswerService, createAnswerService } from '../../src/endpoints/answers/answer-service.ts'
import { createFairSearches } from '../../src/endpoints/search/fair-searches.ts'
import { createSearchRunner } from '../../src/endpoints/search/search-runner.ts'
import type { ServedEdition } from '../../src/kernel/reader.ts'
import { openReleases } from '../../src/releases/open-releases.ts'
import type { Session } from '../../src/state/sessions/index.ts'
import { readerOf, SESSION } from '../../src/testing/reader.ts'
import { startTestModel, type TestModel } from '../../src/testing/test-model.ts'

export const ORIGIN = new URL('https://portal.test')

/** A page of a fixture: sections by heading. */
export interface FixturePage {
  readonly title: string
  /** Elements of its head besides the title. */
  readonly head?: string
  readonly sections: Readonly<Record<string, string>>
}

/** Pages by path, of each edition, the widest first. */
export type FixtureEditions = readonly (readonly [
  name: string,
  pages: Readonly<Record<string, FixturePage>>,
])[]

export interface AnswersFixture extends AsyncDisposable {
  readonly model: TestModel
  readonly readings: Reading[]
  readonly searched: { readonly q: string; readonly hits: number }[]
  readonly state: { nowMs: number; editionOf: (session: Session) => string }
  /** Edition that a request is served; replaced by tests that break it on purpose. */
  serve: (found: ServedEdition, all: readonly ServedEdition[]) => ServedEdition
  readonly service: AnswerService
  send(path: string, init: RequestInit, session?: Partial<Session>): Promise<Response>
  post(path: string, body: string | object, init?: PostOptions): Promise<Response>
  /** The events of an answer, its end included. */
  ask(question: object, init?: PostOptions): Promise<readonly AnswerEvent[]>
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly session?: Partial<Session>
}

async function writeEdition(build: TestBuild, pages: Readonly<Record<string, FixturePage>>): Promise<void> {
  const listed: { path: string; file: string; title: string }[] = []
  for (const [path, { title, head = '', sections }] of Object.entries(pages)) {
    const file = `${path.slice(1)}.html`
    const body = Object.entries(sections).map(
      ([heading, html], at) => `<h2 id="s${at}">${heading}</h2><p>${html}</p>`,
    )
    await build.write(
      file,
      `<!doctype html><html lang="ja"><head><title>${title}</title>${head}</head><body><main><article><h1>${title}</h1>${body.join('')}</article></main></body></html>`,
    )
    listed.push({ path, file, title })
  }
  const missing = { path: '/404.html', file: '404.html', title: '404' }
  await build.writeSite({ pages: [...listed, missing], redirects: [] })
  const indexed = Object.entries(pages).map(([path, { title, sections }]) => ({
    ...{ id: path, url: path, title, kind: 'docs' as const, breadcrumbs: [] },
    sections: Object.entries(sections).map(([heading, html], at) => ({
      ...{ heading, level: 2, anchor: `s${at}` },
      text: html.replace(/<[^>]*>/g, ' '),
    })),
  }))
  const outFile = join(build.buildDir, '__sekisho', 'search.db')
  await buildIndex({ pages: indexed, outFile, cacheDir: join(build.root, 'cache') })
}

/** Answers over a release of these editions, with a stand-in for the model. */
export async function createAnswersFixture(
  editions: FixtureEditions,
  config: Partial<AnswerConfig> = {},
): Promise<AnswersFixture> {
  await using cleanup = new AsyncDisposableStack()
  const packed: { name: string; audiences: readonly string[]; buildDir: string }[] = []
  let root: TestBuild | null = null
  for (const [at, [name, pages]] of editions.entries()) {
    const build = cleanup.use(await createTestBuild())
    root ??= build
    await writeEdition(build, pages)
    packed.push({ name, audiences: at === editions.length - 1 ? [] : [name], buildDir: build.buildDir })
  }
  if (root === null) throw new Error('there is no edition')
  await packRelease({ editions: packed, dataDir: root.dataDir, clock: Date.now })
  const state: AnswersFixture['state'] = {
    nowMs: Date.parse('2026-11-27T00:00:00Z'),
    editionOf: () => editions.at(-1)?.[0] ?? '',
  }
  const releases = await openReleases({ releasesDir: root.releasesDir })
  const runner = cleanup.adopt(createSearchRunner({ maxReleases: 1 }), (started) => started.close())
  const model = cleanup.use(await startTestModel())
  const readings: Reading[] = []
  const searched: AnswersFixture['searched'] = []
  const queryLog = {
    searched: (_session: string, _account: unknown, entry: { q: string; hits: number }) =>
      void searched.push(entry),
  }
  const now = () => state.nowMs
  const service = cleanup.adopt(
    createAnswerService({
      config: {
        endpoint: { url: model.url, model: 'ours', key: ['Authorization', 'Bearer k'] },
        ...{ rewritesOnly: false, tokensADay: 1_000_000, firstTextMs: 15_000, totalMs: 60_000, ...config },
      },
      origin: ORIGIN,
      searches: createFairSearches(runner),
      audit: {
        defer: () => null,
        recordReading(reading) {
          readings.push(reading)
          return null
        },
      },
      ...{
        queryLog,
        answerTokens: null,
        digest: (text) => `digest of ${text.length}`,
        now,
        timeZone: 'Asia/Tokyo',
      },
    }),
    (it) => it.close(),
  )
  const readerFor = async (session: Session) => {
    const all = await releases.editions()
    const found = all.find(({ name }) => name === state.editionOf(session))
    return readerOf(found === undefined ? null : fixture.serve(found, all), session)
  }
  const routes = createAnswerRoutes({
    ...{ origin: ORIGIN, answers: service, queryLog, timeZone: 'Asia/Tokyo', now },
  })
  const resources = cleanup.move()
  const fixture: AnswersFixture = {
    ...{ model, readings, searched, state, service },
    serve: (found) => found,
    async send(path, init, session = {}) {
      const request = new Request(ORIGIN.origin + path, init)
      const route = routes.get(new URL(request.url).pathname)
      if (route?.access !== 'reader') throw new Error('readers have no route')
      const context = { clientAddress: '', isReader: true, requestId: 'r' }
      const reader = await readerFor({ ...SESSION, ...session })
      return (await route.answer(request, reader, context)) as Response
    },
    post: (path, body, { headers = {}, session = {} } = {}) =>
      fixture.send(
        path,
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: ORIGIN.origin, ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        },
        session,
      ),
    async ask(question, init) {
      const response = await fixture.post('/__gate/answers', question, init)
      if (response.status !== 200) throw new Error(`answered ${response.status} ${await response.text()}`)
      return readEvents(await response.text())
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
  return fixture
}

export function readEvents(stream: string): readonly AnswerEvent[] {
  return stream
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => JSON.parse(block.slice('data: '.length)))
}

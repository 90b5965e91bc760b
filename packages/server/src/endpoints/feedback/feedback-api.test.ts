import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFeedbackFiles,
  type FeedbackLog,
  type KeptFeedback,
  openFeedbackLog,
  readFeedbackReport,
} from '../../state/feedback/index.ts'
import { PLAIN } from '../../state/testing/index.ts'
import type { DailyStore } from '../../storage/lines/index.ts'
import { SESSION } from '../../testing/reader.ts'
import { answerOf, createTestGate, ORIGIN, type TestGate } from '../../testing/test-gate.ts'

const DAYS = 30
let root = ''
let folder = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-feedback-'))
  folder = join(root, 'feedback')
  store = createFeedbackFiles(folder)
})
afterEach(async () => {
  for (const log of logs.splice(0)) await log.flush()
  await rm(root, { recursive: true, force: true })
})

let store: DailyStore<KeptFeedback>
const logs: FeedbackLog[] = []
const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
function open(days = DAYS): FeedbackLog {
  const log = openFeedbackLog({
    store,
    days,
    now: () => NOW_MS,
    onFailure(error) {
      throw error
    },
  })
  logs.push(log)
  return log
}

/** Posts as a page of the portal would. */
async function say(portal: TestGate, cookie: string, body: unknown, headers: Record<string, string> = {}) {
  return portal.ask('/__gate/feedback', {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json', Origin: ORIGIN.origin, ...headers },
    body: JSON.stringify(body),
  })
}

describe('POST /__gate/feedback', () => {
  it('keeps page, release, vote and sentence, and nothing of the reader', async () => {
    const log = open()
    await using portal = await createTestGate({ feedbackLog: log })
    const cookie = await portal.signIn()
    expect((await say(portal, cookie, { page: '/', helpful: false, comment: ' 図がほしい ' })).status).toBe(
      204,
    )
    expect((await say(portal, cookie, { page: '/', helpful: true })).status).toBe(204)
    await log.flush()
    expect(await readdir(folder)).toEqual(['2026-11-21.jsonl'])
    const kept = (await readFile(join(folder, '2026-11-21.jsonl'), 'utf8')).trimEnd().split('\n')
    const release = expect.stringMatching(/^[\w-]+$/)
    expect(kept.map((line) => JSON.parse(line))).toEqual([
      { page: '/', helpful: false, comment: '図がほしい', release },
      { page: '/', helpful: true, release },
    ])
    const comment = { page: '/', release, helpful: false, comment: '図がほしい' }
    expect(await readFeedbackReport(store, DAYS, NOW_MS)).toEqual([
      { page: '/', helpful: 1, unhelpful: 1, comments: [comment] },
    ])
  })

  it.each<[name: string, body: unknown, headers: Record<string, string>, answer: readonly [number, string]]>([
    ['a page that does not exist', { page: '/nowhere', helpful: true }, {}, [400, 'bad_request']],
    ['feedback that is none', { page: '/', helpful: 'yes' }, {}, [400, 'bad_request']],
    ['a name that was put in', { page: '/', helpful: true, name: 'x' }, {}, [400, 'bad_request']],
    ['a long comment', { page: '/', helpful: true, comment: 'あ'.repeat(501) }, {}, [400, 'bad_request']],
    ['a long body', { page: '/', helpful: true, comment: 'あ'.repeat(9_000) }, {}, [413, 'too_large']],
    ['another site', { page: '/', helpful: true }, { Origin: 'https://evil.test' }, [403, 'bad_origin']],
    ['nobody', { page: '/', helpful: true }, { Cookie: '' }, [401, 'signed_out']],
  ])('refuses %s', async (_name, body, headers, answer) => {
    const log = open()
    await using portal = await createTestGate({ feedbackLog: log })
    expect(await answerOf(await say(portal, await portal.signIn(), body, headers))).toEqual(answer)
    await log.flush()
    expect(await readdir(root)).toEqual([])
  })

  it('tells an account that does not stop to wait, whatever its session', async () => {
    await using portal = await createTestGate({ feedbackLog: open() })
    const first = await portal.signIn()
    portal.state.nowMs += 1_000
    const cookies = [first, await portal.signIn()]
    const answers: number[] = []
    for (let n = 0; n < 22; n += 1)
      answers.push((await say(portal, cookies[n % 2] ?? '', { page: '/', helpful: true })).status)
    expect(answers.filter((status) => status === 204)).toHaveLength(20)
    expect(answers.slice(20)).toEqual([429, 429])
  })

  it('48 has accounts of two issuers with one subject wait apart', async () => {
    await using portal = await createTestGate({ feedbackLog: open() })
    const own = await portal.signIn({ sub: 'same' })
    for (let n = 0; n < 21; n += 1) await say(portal, own, { page: '/', helpful: true })
    const identity = {
      ...PLAIN,
      issuer: 'https://other.test',
      sub: 'same',
      email: 'b@example.co.jp',
      name: null,
    }
    const spent = { digest: 'other', expiresAtMs: portal.state.nowMs + 60_000 }
    const started = await portal.sessions.start({
      identity,
      spent,
      refreshToken: 'r',
      device: '',
      address: '',
    })
    const cookie = started.kind === 'started' ? `__Host-sekisho=${started.token}` : ''
    expect((await say(portal, own, { page: '/', helpful: true })).status).toBe(429)
    expect((await say(portal, cookie, { page: '/', helpful: true })).status).toBe(204)
  })

  it('keeps nothing where the operator keeps none, and removes what there was', async () => {
    const before = open()
    before.write(SESSION, { page: '/', helpful: true, release: 'r' })
    await before.flush()
    await using portal = await createTestGate({ feedbackLog: open(0) })
    expect((await say(portal, await portal.signIn(), { page: '/', helpful: true })).status).not.toBe(204)
    expect(await readdir(root)).toEqual([])
  })
})

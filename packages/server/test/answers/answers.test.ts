import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { promptText, streamText } from '../../src/testing/test-model.ts'
import { type AnswersFixture, createAnswersFixture, readEvents } from './answers-fixture.ts'

const GUIDE = {
  title: '手引き',
  sections: {
    手形: '関所を通る者は、まず手形を見せる。手形は 30 日のあいだ有効です。',
    通行料: '通行料は銀二匁です。',
  },
}
const OBSOLETE = {
  ...{ title: '旧い手引き', head: '<meta name="sekisho-status" content="obsolete">' },
  sections: {
    手形: '手形は 90 日のあいだ有効です。手形は何度でも使えます。',
    手形の期限: '期限は 90 日です。',
  },
}
const QUESTION = '手形はどれだけのあいだ有効ですか'
const GOOD =
  '{"subject":""}\n{"text":"手形は 30 日有効です。","cites":[{"s":1,"quote":"手形は 30 日のあいだ有効です"}]}\n'

let fixture: AnswersFixture
let account = 0
beforeAll(async () => {
  fixture = await createAnswersFixture([['everyone', { '/docs/guide': GUIDE, '/docs/old': OBSOLETE }]])
}, 120_000)
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  account += 1
  fixture.state.nowMs += 3_600_000
  for (const list of [fixture.readings, fixture.searched, fixture.model.prompts, fixture.model.keys])
    list.length = 0
  says(GOOD)
})
const says = (text: string) => {
  fixture.model.reply = (response) => streamText(response, text)
}
const own = () => ({ session: { sub: `account-${account}` } })
/** Prompts of answers; rewriting has its own. */
const answerPrompts = () => fixture.model.prompts.filter((prompt) => prompt.includes('SECTION'))

describe('an answer', () => {
  it('has sentences whose quotes stand in the named sections, and nothing of the model’s but their text', async () => {
    says(
      `${GOOD}{"text":"手形は 90 日有効です。","cites":[{"s":1,"quote":"手形は 30 日のあいだ有効です"}]}\n`,
    )
    const events = await fixture.ask({ question: QUESTION }, own())
    expect(events.map(({ event }) => event)).toEqual(['sources', 'sentence', 'end'])
    expect(events[1]).toEqual({ event: 'sentence', kind: 'text', text: '手形は 30 日有効です。', cites: [1] })
    expect(events[2]).toMatchObject({ outcome: 'answered', dropped: 1 })
    const [first] = events
    expect(first).toMatchObject({
      sources: [
        { n: 1, title: '手引き', heading: '手形', url: '/docs/guide#s0' },
        { n: 2, heading: '通行料', url: '/docs/guide#s1' },
      ],
    })
  })

  it('sends the question, passages and the operator’s key, and no name', async () => {
    await fixture.ask({ question: QUESTION }, own())
    const [prompt = ''] = answerPrompts()
    expect(promptText(prompt)).toContain('まず手形を見せる')
    expect(fixture.model.prompts.join()).not.toMatch(/hanako|account-|reader/)
    expect(new Set(fixture.model.keys)).toEqual(new Set(['Bearer k']))
  })

  it.each([
    ['found', {}],
    ['open', { page: '/docs/old', selection: '手形は 90 日のあいだ有効です' }],
    [
      'the source of an earlier answer',
      { turns: [{ question: QUESTION, sources: ['/docs/old#s0', '/docs/old'] }] },
    ],
  ])('never uses an obsolete page that is %s', async (_way, more) => {
    const events = await fixture.ask({ question: QUESTION, ...more }, own())
    expect(answerPrompts()).toHaveLength(1)
    expect(promptText(answerPrompts()[0] ?? '')).not.toContain('90 日')
    expect(JSON.stringify(events)).not.toContain('/docs/old')
  })

  it('leaves one line in the trail, without a text', async () => {
    await fixture.ask({ question: QUESTION }, own())
    expect(fixture.readings).toHaveLength(1)
    const [reading] = fixture.readings
    expect(reading).toMatchObject({
      event: 'answer_read',
      more: {
        outcome: 'answered',
        model: 'ours',
        sent: 100,
        received: 20,
        question: `digest of ${QUESTION.length}`,
      },
    })
    expect(reading?.more?.passages).toEqual([expect.stringMatching(/^\/docs\/guide [0-9a-f]{16}$/)])
    expect(JSON.stringify(fixture.readings)).not.toContain('手形は')
  })

  it('is null, and the question is told to the writers, when the sections do not answer it', async () => {
    says('{"answer":null}')
    const events = await fixture.ask({ question: QUESTION }, own())
    expect(events.at(-1)).toMatchObject({ outcome: 'not_found', nearest: [{ url: '/docs/guide' }] })
    expect(fixture.searched).toEqual([{ q: QUESTION, hits: 0, edition: 'everyone' }])
  })

  it('does not ask the model when nothing was found', async () => {
    says('{"queries":[]}')
    const events = await fixture.ask({ question: 'ｑｗｚｘｋ zzyzx qwxk' }, own())
    expect(events).toEqual([{ event: 'end', outcome: 'not_found', dropped: 0, nearest: [] }])
    expect(answerPrompts()).toEqual([])
    expect(fixture.readings).toHaveLength(1)
  })

  it('searches with earlier questions, and reads their sources again', async () => {
    const turns = [{ question: '通行料はいくらですか', sources: ['/docs/guide#s1'] }]
    await fixture.ask({ question: 'それはいつ払いますか', turns }, own())
    const text = promptText(answerPrompts()[0] ?? '')
    expect(text).toContain('銀二匁')
    expect(text).toContain('EARLIER QUESTIONS: ["通行料はいくらですか"]')
  })

  it('grows on a page without scripts', async () => {
    const form = new URLSearchParams({ question: QUESTION, page: '/docs/guide' }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await fixture.post('/__gate/ask', form, { headers, ...own() })
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; .*; script-src 'self' 'sha256-[^']+'; connect-src 'self'$/)
    const page = await response.text()
    expect(page).toMatch(/<p>手形は 30 日有効です。\u00a0<a href="\/docs\/guide[^"]*">\[1\]<\/a><\/p>/)
    expect(page).toMatch(/<\/main>\s*<\/body>/)
  })

  it('stands in its place, whatever the question holds', async () => {
    const question = `${QUESTION} </section> %place% <!-- answer -->`
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = new URLSearchParams({ question, page: '/docs/guide' }).toString()
    const page = await (await fixture.post('/__gate/ask', form, { headers, ...own() })).text()
    expect(page).toMatch(/data-answer>\s*<p/)
    expect(page.match(/<\/section>/g)).toHaveLength(1)
  })

  it.each([
    ['one of our pages', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['its reader', { 'Sec-Fetch-Site': 'none' }, true],
    ['a link of another site', { 'Sec-Fetch-Site': 'cross-site' }, false],
    ['a browser that does not say', {}, false],
  ])('begins with a page that was opened by %s: %o %s', async (_by, headers, starts) => {
    const page = await (
      await fixture.send('/__gate/ask?q=a', { headers: new Headers(headers as object) })
    ).text()
    expect(/<form[^>]* data-start>/.test(page)).toBe(starts)
  })

  it('ends upstream when its reader leaves', async () => {
    const before = fixture.model.left()
    fixture.model.reply = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{"content":"{"}}]}\n\n')
    }
    const response = await fixture.post('/__gate/answers', { question: '手形' }, own())
    const reader = response.body?.getReader()
    await reader?.read()
    await expect.poll(() => answerPrompts().length).toBe(1)
    await reader?.cancel()
    await expect.poll(fixture.model.left).toBe(before + 1)
    await expect.poll(() => fixture.readings.map(({ more }) => more?.outcome)).toEqual(['stopped'])
  })
})

describe('a request that is refused', () => {
  it.each([
    ['without a question', { question: ' ' }, 400],
    ['with a long question', { question: 'a'.repeat(501) }, 400],
    ['with an unknown field', { question: 'a', model: 'x' }, 400],
    ['with four turns', { question: 'a', turns: Array(4).fill({ question: 'a', sources: [] }) }, 400],
    ['with an answer in a turn', { question: 'a', turns: [{ question: 'a', answer: 'b' }] }, 400],
    ['with a text in place of JSON', 'question=a', 400],
    ['with a long body', `{"question":"${'a'.repeat(40_000)}"}`, 413],
  ])('%s', async (_what, body, status) => {
    expect((await fixture.post('/__gate/answers', body, own())).status).toBe(status)
    expect(fixture.model.prompts).toEqual([])
  })
})

describe('limits', () => {
  it('of an account: thirty in an hour, and says how long', async () => {
    for (let time = 0; time < 30; time += 1) await fixture.ask({ question: '手形' }, own())
    const refused = await fixture.post('/__gate/answers', { question: '手形' }, own())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '120'])
    const other = await fixture.ask({ question: '手形' }, { session: { sub: 'other' } })
    expect(other.at(-1)).toMatchObject({ outcome: 'answered' })
  })

  it('of the endpoint: eight at once', async () => {
    const waiting: (() => void)[] = []
    fixture.model.reply = (response) => void waiting.push(() => streamText(response, GOOD))
    const under = Array.from({ length: 8 }, () =>
      fixture.post('/__gate/answers', { question: '手形' }, own()),
    )
    const responses = await Promise.all(under)
    const ninth = await fixture.post('/__gate/answers', { question: '手形' }, own())
    expect([ninth.status, Number(ninth.headers.get('retry-after')) > 0]).toEqual([503, true])
    await expect.poll(() => waiting.length).toBe(8)
    for (const answer of waiting) answer()
    for (const response of responses)
      expect(readEvents(await response.text()).at(-1)).toMatchObject({ outcome: 'answered' })
    says(GOOD)
    expect((await fixture.ask({ question: '手形' }, own())).at(-1)).toMatchObject({ outcome: 'answered' })
  })

  it('of the day, until the next one', async () => {
    await using small = await createAnswersFixture([['everyone', { '/docs/guide': GUIDE }]], {
      tokensADay: 100,
    })
    small.model.reply = (response) => streamText(response, GOOD)
    await small.ask({ question: '手形' })
    const refused = await small.post('/__gate/answers', { question: '手形' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '86400'])
    small.state.nowMs += 86_400_000
    expect((await small.post('/__gate/answers', { question: '手形' })).status).toBe(200)
  }, 60_000)
})

describe('an endpoint that fails', () => {
  let failing: AnswersFixture
  beforeAll(async () => {
    const limits = { firstTextMs: 1_000, totalMs: 4_000 }
    failing = await createAnswersFixture([['everyone', { '/docs/guide': GUIDE }]], limits)
  }, 60_000)
  afterAll(() => failing[Symbol.asyncDispose]())
  const begin = 'data: {"choices":[{"delta":{"content":"{"}}]}\n\n'

  it.each([
    ['says nothing', 'too_slow', () => {}],
    ['sends headers and nothing more', 'too_slow', (response) => void response.writeHead(200).flushHeaders()],
    ['does not end', 'too_slow', (response) => void response.write(begin)],
    ['refuses', 'refused', (response) => void response.writeHead(401).end('{"error":"key"}')],
    [
      'redirects',
      'unreachable',
      (response) => void response.writeHead(302, { Location: 'https://evil.example/' }).end(),
    ],
    ['breaks off', 'broken', (response) => void response.write(begin, () => response.destroy())],
    ['reports an error', 'broken', (response) => void response.end('data: {"error":{"message":"no"}}\n\n')],
    ['writes without end', 'too_long', (response) => streamText(response, 'x'.repeat(100_000))],
  ] as readonly (readonly [string, string, AnswersFixture['model']['reply']])[])(
    '%s: %s',
    async (_how, outcome, reply) => {
      failing.state.nowMs += 60_000
      failing.model.reply = reply
      const events = await failing.ask({ question: '手形' })
      expect(events.at(-1)).toMatchObject({ event: 'end', outcome })
    },
    60_000,
  )

  it('is left alone for a while after five failures', async () => {
    failing.state.nowMs += 3_600_000
    failing.model.reply = (response) => void response.writeHead(500).end()
    for (let time = 0; time < 5; time += 1) await failing.ask({ question: '手形' })
    const refused = await failing.post('/__gate/answers', { question: '手形' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  })
})

it('ends answers when the gate stops, and tells their readers', async () => {
  await using closing = await createAnswersFixture([['everyone', { '/docs/guide': GUIDE }]])
  closing.model.reply = () => {}
  const response = await closing.post('/__gate/answers', { question: '手形' })
  const events = response.text()
  await expect.poll(() => closing.model.prompts.length).toBe(1)
  closing.service.close()
  expect(readEvents(await events).at(-1)).toMatchObject({ outcome: 'stopped' })
}, 60_000)

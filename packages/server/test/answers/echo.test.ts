import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { streamText } from '../../src/testing/test-model.ts'
import { type AnswersFixture, createAnswersFixture, type FixturePage } from './answers-fixture.ts'

const EDITIONS = ['staff', 'partner', 'everyone'] as const
type Name = (typeof EDITIONS)[number]
const TOPICS = [
  '当番',
  '価格',
  '障害',
  '契約',
  '鍵の交換',
  '監査',
  '復旧',
  '移行',
  '検収',
  '退職',
  '採用',
  '予算',
] as const

/** Marks of an edition's own text: in its titles, headings, bodies, alt texts and file names. */
const marks = (name: Name) => ({
  title: `${name}title7q`,
  heading: `${name}heading7q`,
  body: `${name}body7q`,
  alt: `${name}alt7q`,
  file: `${name}file7q`,
})

/** Pages that only one edition adds, each about a topic that every edition has a page of. */
const ownPages = (name: Name): Readonly<Record<string, FixturePage>> =>
  Object.fromEntries(
    TOPICS.map((topic, at): [string, FixturePage] => {
      const { title, heading, body, alt, file } = marks(name)
      const image = `<img src="/img/${file}.png" alt="${alt} ${topic}の図">`
      const sections = {
        [`${topic}の手順 ${heading}`]: `${topic}は${body}のように進めます。${image}`,
        [`${topic}の期限`]: `${topic}の期限は ${body} が決めます。`,
      }
      return [`/docs/${name}-${at}`, { title: `${topic} ${title}`, sections }]
    }),
  )

/** A page that every edition has, each with its own text. */
const commonPage = (name: Name): FixturePage => ({
  title: '共通の決まり',
  sections: { 決まり: `共通の決まりは ${marks(name).body} が定めます。` },
})

/** Each edition holds the pages of those after it, and its own form of the common one. */
const pagesOf = (index: number): Readonly<Record<string, FixturePage>> =>
  Object.assign(
    { '/docs/common': commonPage(EDITIONS[index] ?? 'everyone') },
    ...EDITIONS.slice(index).map(ownPages),
  )

let fixture: AnswersFixture
let asked = 0
beforeAll(async () => {
  fixture = await createAnswersFixture(EDITIONS.map((name, index) => [name, pagesOf(index)] as const))
}, 120_000)
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.serve = (found) => found
  fixture.model.prompts.length = 0
})

/** Asks as a reader of the edition; every question is another account's, so that none is refused. */
async function ask(name: Name, question: object): Promise<void> {
  asked += 1
  fixture.state.editionOf = () => name
  await fixture.ask(question, { session: { sub: `account-${asked}` } })
}

/** Marks of editions that hold more than this one. */
const forbidden = (name: Name): readonly string[] =>
  EDITIONS.slice(0, EDITIONS.indexOf(name)).flatMap((other) => Object.values(marks(other)))

/** The ways by which text reaches a prompt. `wide` is a page, and a text, that only the widest edition has. */
const WAYS: Readonly<Record<string, (name: Name, topic: string, at: number) => Promise<void>>> = {
  question: (name, topic) => ask(name, { question: `${topic}の手順と期限はどうなっていますか` }),
  selection: (name, topic, at) =>
    ask(name, {
      question: `${topic}とは何ですか`,
      page: `/docs/staff-${at}`,
      selection: `${topic}は${WIDE.body}のように進めます。`,
    }),
  'selection on an own page': (name, topic, at) =>
    ask(name, {
      question: `${topic}とは何ですか`,
      page: `/docs/everyone-${at}`,
      selection: `${topic}は${WIDE.body}のように進めます。`,
    }),
  'open page': (name, topic, at) =>
    ask(name, { question: `${topic}の期限を教えてください`, page: `/docs/staff-${at}` }),
  'open page by its title': (name, topic) =>
    ask(name, { question: `${topic}の期限を教えてください`, page: `${topic} ${WIDE.title}` }),
  'open page that every edition has': (name, topic) =>
    ask(name, { question: `${topic}の決まりを教えてください`, page: '/docs/common' }),
  'follow-up': (name, topic, at) =>
    ask(name, {
      question: 'その期限はいつですか',
      turns: [
        {
          question: `${topic}の手順は`,
          sources: [`/docs/staff-${at}#s0`, `https://portal.test/docs/staff-${at}`],
        },
      ],
    }),
  'after losing a group': async (name, topic, at) => {
    const before = fixture.model.prompts.length
    await ask('staff', { question: `${topic}の手順と期限はどうなっていますか` })
    fixture.model.prompts.length = before // those were of the wider edition
    await ask(name, {
      question: `${topic}の手順と期限はどうなっていますか`,
      turns: [{ question: `${topic}の手順`, sources: [`/docs/staff-${at}#s0`] }],
    })
  },
}
const WIDE = marks('staff')

async function askAll(name: Name, topics: readonly string[] = TOPICS): Promise<string> {
  for (const way of Object.values(WAYS))
    for (const [at, topic] of topics.entries()) await way(name, topic, at)
  return fixture.model.prompts.join('\n')
}
/** The reader's own typed or selected words go along as the question only. */
const leaksOf = (name: Name, prompts: string): readonly string[] =>
  forbidden(name).filter((mark) => prompts.includes(mark))

describe('no byte of another edition reaches the model', () => {
  it.each(EDITIONS)('%s', { timeout: 240_000 }, async (name) => {
    fixture.model.reply = (response, prompt) => streamText(response, prompt)
    const prompts = await askAll(name)
    expect(leaksOf(name, prompts)).toEqual([])
    // Its own text does, or the absence of others proves nothing.
    for (const mark of [marks(name).title, marks(name).heading, marks(name).body])
      expect(prompts).toContain(mark)
    const answerPrompts = fixture.model.prompts.filter((prompt) => prompt.includes('SECTION'))
    expect(answerPrompts.length).toBeGreaterThanOrEqual(70)
  })

  it('nor while a wider reader views the portal as a narrower edition', { timeout: 120_000 }, async () => {
    for (const [at, topic] of TOPICS.entries()) {
      fixture.state.editionOf = () => 'everyone' // which the policy resolved, not the endpoint
      const session = { sub: `viewer-${at}` }
      await fixture.ask({ question: `${topic}の手順と期限は`, page: `/docs/staff-${at}` }, { session })
    }
    expect(leaksOf('everyone', fixture.model.prompts.join())).toEqual([])
  })
})

describe('a gate that is broken on purpose is found', () => {
  it.each([
    [
      'searches the widest edition’s index',
      (found, [widest = found]) => ({
        ...found,
        search: widest.search,
        edition: widest.edition,
        markdown: widest.markdown,
      }),
    ],
    [
      'reads pages of the widest edition',
      (found, [widest = found]) => ({ ...found, edition: widest.edition, markdown: widest.markdown }),
    ],
    [
      'finds pages of the widest edition, and reads its text',
      (found, [widest = found]) => ({ ...widest, search: found.search }),
    ],
    ['remembers the edition that an account had', (_found, [widest]) => widest],
    [
      'reads the text of its own pages from the widest edition',
      (found, [widest = found]) => ({ ...found, markdown: widest.markdown }),
    ],
    [
      'opens a page of the widest edition where its own has none',
      (found, [widest = found]) => ({
        ...found,
        edition: { ...found.edition, files: new Map([...widest.edition.files, ...found.edition.files]) },
        markdown: async (path) => (await found.markdown(path)) ?? widest.markdown(path),
      }),
    ],
  ] as readonly (readonly [string, AnswersFixture['serve']])[])(
    'one that %s',
    { timeout: 240_000 },
    async (_how, serve) => {
      fixture.serve = serve
      expect(leaksOf('everyone', await askAll('everyone', TOPICS.slice(0, 2)))).not.toEqual([])
    },
  )
})

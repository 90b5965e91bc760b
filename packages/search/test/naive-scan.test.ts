import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldKatakana } from '../src/text/kana.ts'
import { normalise } from '../src/text/normalise.ts'
import { createFixtureIndex, type FixtureIndex } from './fixture-index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

const TEXTS = FIXTURE_PAGES.map((page) => ({
  id: page.id,
  text: [page.title, ...page.sections.flatMap((section) => [section.heading, section.text])].join('\n'),
}))
const RUNS = TEXTS.flatMap(({ text }) => text.match(/[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu) ?? [])
const NAMES = TEXTS.flatMap(({ text }) => text.match(/[A-Za-z]{3,}/g) ?? [])

/** Ids of the pages whose text holds the query as it stands, by reading every page. */
function scan(query: string): string[] {
  const wanted = foldKatakana(normalise(query))
  return TEXTS.filter(({ text }) => foldKatakana(normalise(text)).includes(wanted)).map(({ id }) => id)
}

describe('what reading every page would find, the engine finds', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(FIXTURE_PAGES)
  })
  afterAll(() => index.remove())

  it('for any stretch of kanji or katakana', () => {
    const stretch = fc
      .constantFrom(...RUNS)
      .chain((run) =>
        fc
          .tuple(fc.nat(run.length - 2), fc.integer({ min: 2, max: 12 }))
          .map(([at, length]) => run.slice(at, at + length)),
      )
    fc.assert(
      fc.property(
        stretch.filter((text) => text.length > 1 && !text.startsWith('ー') && !/ー./.test(text)),
        (query) => {
          expect(index.find(query)).toEqual(expect.arrayContaining(scan(query)))
        },
      ),
    )
  })

  it('for any name, in whichever case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.boolean(), (name, upper) => {
        const query = upper ? name.toUpperCase() : name
        const whole = TEXTS.filter(({ text }) =>
          new RegExp(`(?<![A-Za-z])${name}(?![A-Za-z])`, 'i').test(text),
        )
        expect(index.find(query)).toEqual(expect.arrayContaining(whole.map(({ id }) => id)))
      }),
    )
  })
})

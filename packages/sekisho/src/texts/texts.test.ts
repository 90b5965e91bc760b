import { expect, it } from 'vitest'
import { TEXTS } from './index.ts'

const JAPANESE = /[ぁ-んァ-ヶ一-龠]/
const codes = Object.entries(TEXTS.en).flatMap(([section, sentences]) =>
  Object.keys(sentences).map((code) => [section, code] as const),
)

/** A sentence as it is written, values and all. */
const sourceOf = (table: object, section: string, code: string): string =>
  String(Reflect.get(Reflect.get(table, section), code))

it.each(codes)('%s: %s is a sentence in both languages', (section, code) => {
  const [en, ja] = [TEXTS.en, TEXTS.ja].map((table) => sourceOf(table, section, code))
  expect(en).not.toMatch(JAPANESE)
  // What is no word in English (an arrow between two names) needs none in Japanese either.
  const words = (en?.replace(/^\([^)]*\) =>/, '') ?? '').replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '')
  if (/[a-z]{3}/i.test(words)) expect(ja).toMatch(JAPANESE)
})

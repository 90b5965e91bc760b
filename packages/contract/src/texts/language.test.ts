import { describe, expect, it } from 'vitest'
import { createMessages, inEveryLanguage, isJapanese, pickLanguage } from './language.ts'

describe('the language of a tag', () => {
  it.each([
    ['ja', 'ja'],
    ['ja-JP', 'ja'],
    ['JA_jp.UTF-8', 'ja'],
    ['ja.eucJP', 'ja'],
    ['jam', 'en'],
    ['en-GB', 'en'],
    ['fr', 'en'],
    ['C', 'en'],
    ['', 'en'],
  ])('%j is read as %s', (tag, language) => {
    expect(pickLanguage(tag)).toBe(language)
    expect(isJapanese(tag)).toBe(language === 'ja')
  })
})

describe('a message', () => {
  const en = {
    empty: 'nothing is there',
    few: (name: string, count: number) => `${name} has ${count}`,
    within: (file: string, problem: string) => `${file}: ${problem}`,
  }
  const ja: typeof en = {
    empty: '何もありません',
    few: (name, count) => `${name} は ${count} 件です`,
    within: (file, problem) => `${file}: ${problem}`,
  }
  const say = createMessages({ ja: { problems: ja }, en: { problems: en } }, 'problems')

  it('is a code with values, and a sentence in each language', () => {
    const message = say('few', 'a.md', 2)
    expect(message).toMatchObject({ code: 'few', values: ['a.md', 2] })
    expect(inEveryLanguage((language) => message.in(language))).toEqual({
      ja: 'a.md は 2 件です',
      en: 'a.md has 2',
    })
  })

  it('holds another, which is said in the same language', () => {
    const message = say('within', 'rules.json', say('empty'))
    expect(message.in('ja')).toBe('rules.json: 何もありません')
    expect(`${message} ${JSON.stringify({ message })}`).toBe(
      'rules.json: nothing is there {"message":"rules.json: nothing is there"}',
    )
  })
})

import { expect, it } from 'vitest'
import { en } from './en.ts'
import { describeNotice, describeProgress } from './index.ts'
import { ja } from './ja.ts'

it('says how long to wait when the gate said so', () => {
  const tooMany = { kind: 'admission', reason: 'too-many-requests' } as const
  expect(describeNotice({ ...tooMany, retryAfterSeconds: 30 })).toContain('30 秒')
  expect(describeNotice({ ...tooMany, retryAfterSeconds: null })).toContain('しばらく')
})

it('has nothing to report while nothing happens', () => {
  expect(describeProgress({ status: 'signed-out', notice: null })).toBeNull()
  expect(describeProgress({ status: 'refused', email: 'a@b.example' })).toBeNull()
})

/** Every text of a language, those that take something with it. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [String(value('x'))]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

it('speaks one language at a time', () => {
  const japanese = /[ぁ-んァ-ヶ一-龠]/
  expect(listTexts(en).filter((text) => japanese.test(text))).toEqual([])
  expect(listTexts(ja).filter((text) => !japanese.test(text))).toEqual([])
  expect(describeNotice({ kind: 'admission', reason: 'unreachable', retryAfterSeconds: null }, en)).toBe(
    'The server cannot be reached. Check your network connection and try again.',
  )
})

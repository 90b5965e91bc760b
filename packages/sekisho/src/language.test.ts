import { expect, it, vi } from 'vitest'
import { processIo } from './command.ts'
import { formatTime, languageOf } from './language.ts'

it.each([
  [{}, 'en'],
  [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
  [{ LANG: 'ja' }, 'ja'],
  [{ LANG: 'jam_JM' }, 'en'],
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'C', LC_MESSAGES: 'ja_JP' }, 'ja'],
  [{ LANG: 'ja_JP', SEKISHO_LANG: 'en' }, 'en'],
] as const)('reads %j as %s', (env, lang) => {
  expect(languageOf(env)).toBe(lang)
})

it('writes a moment that can be read back, offset included', () => {
  const text = formatTime(Date.UTC(2026, 10, 22, 9, 5, 12))
  expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/)
  expect(Date.parse(text)).toBe(Date.UTC(2026, 10, 22, 9, 5, 12))
})

it.each(['print', 'complain'] as const)(
  'whatever a command says, %s moves no cursor and reorders nothing',
  (say) => {
    const stream = say === 'print' ? process.stdout : process.stderr
    const write = vi.spyOn(stream, 'write').mockReturnValue(true)
    processIo()[say]('題\u202ename\u2028next\u001b[2J\r\u0085\n\t次の行')
    expect(write.mock.calls).toEqual([['題�name�next�[2J��\n\t次の行\n']])
    write.mockRestore()
  },
)

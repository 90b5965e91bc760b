import { describe, expect, it } from 'vitest'
import { parseHandwrittenJson } from './handwritten-json.ts'

function problemIn(text: string): string | null {
  const read = parseHandwrittenJson(text)
  return read.ok ? null : read.problem.in('en')
}

describe('parseHandwrittenJson', () => {
  it.each([
    ['a byte order mark', '\uFEFF{"a": [1, -2.5e3, true, null]}', { a: [1, -2500, true, null] }],
    ['ends of lines of Windows', '{\r\n"a":\t"\\u00e9\\n"\r\n}\r\n', { a: 'é\n' }],
    ['the same key in two objects', '[{"a":{"a":1}},{"a":[]},{}]', [{ a: { a: 1 } }, { a: [] }, {}]],
    ['a lone scalar', ' "x" ', 'x'],
  ])('reads %s', (_row, text, value) => expect(parseHandwrittenJson(text)).toEqual({ ok: true, value }))

  it.each([
    ['a trailing comma in a list', '{\n  "a": [1,\n  ]}', 3, 3],
    ['a trailing comma in an object', '{"a":1,\r\n}', 2, 1],
    ['a comment', '{\n// mine\n"a":1}', 2, 1],
    ['a missing comma', '{"a":1\r"b":2}', 2, 1],
    ['single quotes', "{'a':1}", 1, 2],
    ['a key without quotes', '{a:1}', 1, 2],
    ['an end of line in a text', '{"a":"x\ny"}', 1, 6],
    ['a wrong escape', '["\\x"]', 1, 2],
    ['a number of another language', '[01]', 1, 2],
    ['full-width punctuation', '{"a"：1}', 1, 5],
    ['a space of another kind', '{\u00a0"a":1}', 1, 2],
    ['a second mark', '\uFEFF\uFEFF{}', 1, 1],
    ['a bracket of another kind', '[1}', 1, 3],
    ['something behind the end', '{} {}', 1, 4],
    ['a cut off file', '{"a": ["b', 1, 8],
    ['an empty file', '', 1, 1],
    ['a comma in front', '[,1]', 1, 2],
    ['two commas', '[1,,2]', 1, 4],
  ])('gives the place of %s', (_row, text, line, column) => {
    expect(problemIn(text)).toBe(`is not JSON from line ${line}, column ${column}`)
    expect(() => JSON.parse(text)).toThrow()
  })

  it.each([
    ['{"a":1,"b":2,\n"a":3}', 2, 1],
    ['[{"x":{"a":1,"\\u0061":2}}]', 1, 14],
  ])('refuses a key twice: %s', (text, line, column) =>
    expect(problemIn(text)).toBe(`has the key at line ${line}, column ${column} twice`),
  )

  it('refuses other encodings', () => {
    const utf16 = Buffer.from('\uFEFF{"a":1}', 'utf16le')
    expect(problemIn(utf16.toString())).toBe('is not UTF-8 text: save it as UTF-8')
    expect(problemIn('{"a":"\uFFFD"}')).toBe('is not UTF-8 text: save it as UTF-8')
  })

  it('agrees with JSON.parse on every text of a few tokens', () => {
    const tokens = ['{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', 'x']
    const differing: string[] = []
    let texts = ['']
    for (let length = 0; length < 5; length += 1) {
      texts = texts.flatMap((text) => tokens.map((token) => text + token))
      differing.push(...texts.filter((text) => parseHandwrittenJson(text).ok !== isJson(text)))
    }
    expect(differing).toEqual([])
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !/"(.)":[^{}]*,"\1":/.test(text)
  } catch {
    return false
  }
}

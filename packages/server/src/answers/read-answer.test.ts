import { expect, it } from 'vitest'
import { createAnswerReader } from './read-answer.ts'

const ONE = '{"text":"a } \\" {","as":"item","cites":[{"s":1,"quote":"q","subject":"React"}]}'
const TWO = '{"text":"b","cites":[{"s":"S2","quote":"r"}]}'

function read(text: string, size: number): readonly string[] {
  const seen: string[] = []
  const reader = createAnswerReader({
    onSubject: (subject) => seen.push(`about ${subject}`),
    onSentence: ({ text, kind, cites }) =>
      seen.push(`${kind} ${text} ${cites.map(({ n, quote }) => n + quote)}`),
  })
  for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size))
  return seen
}

it('reads no more sentences than an answer has', () => {
  expect(read(`${TWO}\n`.repeat(40), 7)).toHaveLength(24)
})

it.each([
  ['one a line', `{"subject":"React"}\n${ONE}\n${TWO}`, ['about React', 'item a } " { 1q', 'text b 2r']],
  ['a list in one object', `{"answer":[${ONE},${TWO}]}`, ['item a } " { 1q', 'text b 2r']],
  [
    'fenced, with words around',
    `Sure! Here is it:\n\`\`\`json\n${TWO}\n\`\`\`\nHope it helps`,
    ['text b 2r'],
  ],
  ['a refusal', '{"answer": null}', []],
  ['prose', 'The limit is 30 minutes [1].', []],
  ['cut off', `${TWO}\n{"text":"c","cites":[{"s":1,`, ['text b 2r']],
  ['no valid JSON', `{"text":"x\ny"}\n${TWO}`, ['text b 2r']],
  [
    'no citations',
    '{"text":"c"}\n{"text":"d","cites":"e"}\n{"text":"f","cites":[1,{"s":"x","quote":"y"},null]}',
    ['text c ', 'text d ', 'text f '],
  ],
  ['very deep', `${'{"a":'.repeat(9)}1${'}'.repeat(9)}\n`, []],
])('reads sentences: %s', (_how, text, expected) => {
  for (const size of [1, 3, text.length]) expect(read(text, size)).toEqual(expected)
})

it('forgets an object that does not end', () => {
  expect(read(`{"text":"${'x'.repeat(40_000)}`, 1_000)).toEqual([])
})

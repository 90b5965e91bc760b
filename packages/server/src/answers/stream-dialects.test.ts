import { expect, it } from 'vitest'
import { createTextReader } from './stream-dialects.ts'

const delta = (content: string, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, ...more }] })}\n\n`
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n'
const DONE = 'data: [DONE]\n\n'
const counted = { sent: 7, received: 3 }

const DIALECTS: readonly (readonly [dialect: string, stream: string, text: string, usage: object | null])[] =
  [
    ['OpenAI: usage in a last chunk without choices', delta('a') + delta('b') + USAGE + DONE, 'ab', counted],
    [
      'llama.cpp: usage after the finish reason',
      delta('a', { finish_reason: 'stop' }) + USAGE + DONE,
      'a',
      counted,
    ],
    [
      'vLLM: text and finish reason in one chunk',
      delta('a') + delta('b', { finish_reason: 'stop' }) + DONE,
      'ab',
      null,
    ],
    [
      'Ollama behind a proxy: stop in the first chunk',
      delta('a', { finish_reason: 'stop' }) + delta('b') + DONE,
      'ab',
      null,
    ],
    ['no [DONE] at the end', delta('a') + delta('b').trimEnd(), 'ab', null],
    [
      'reasoning in its own field',
      `data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n${delta('a')}${DONE}`,
      'a',
      null,
    ],
    [
      'reasoning between tags, cut anywhere',
      ['<thi', 'nk>hm', ' {"text"', '</th', 'ink>a'].map((one) => delta(one)).join('') + DONE,
      'a',
      null,
    ],
    ['a tag that is none', delta('a <thin') + delta('g> b') + DONE, 'a <thing> b', null],
    ['reasoning that does not end', delta('a<think>hm') + DONE, 'a', null],
    [
      'comments, event names and carriage returns',
      `: keep-alive\r\n\r\nevent: message\r\n${delta('a').replaceAll('\n', '\r\n')}${DONE}`,
      'a',
      null,
    ],
    ['carriage returns alone', (delta('a') + delta('b') + DONE).replaceAll('\n', '\r'), 'ab', null],
    [
      'white space before a whole document',
      `\n\n ${JSON.stringify({ choices: [{ message: { content: 'a' } }] })}`,
      'a',
      null,
    ],
    ['no space after the colon', delta('a').replace('data: ', 'data:') + DONE, 'a', null],
    [
      'parts in place of a text (Mistral)',
      'data: {"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"thinking"}]}}]}\n\n',
      'a',
      null,
    ],
    [
      'a role alone, null content, an empty list',
      `data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\n\ndata: {"choices":[]}\n\n${delta('a')}`,
      'a',
      null,
    ],
    [
      'no stream at all',
      JSON.stringify({
        choices: [{ message: { content: 'a<think>b</think>c' } }],
        usage: { prompt_tokens: 7, completion_tokens: 3 },
      }),
      'ac',
      counted,
    ],
    ['lines that are no JSON', `data: {"choices\n\n${delta('a')}${DONE}`, 'a', null],
    [
      'counts that are none',
      `${delta('a')}data: {"usage":{"prompt_tokens":-1,"completion_tokens":"x"}}\n\n`,
      'a',
      null,
    ],
    ['Japanese and an emoji', delta('関所🏯') + DONE, '関所🏯', null],
  ]

it.each(DIALECTS)('%s', (_dialect, stream, text, usage) => {
  const bytes = Buffer.from(stream)
  for (const size of [1, 2, 7, bytes.length]) {
    let read = ''
    const reader = createTextReader((piece) => {
      read += piece
    })
    for (let at = 0; at < bytes.length; at += size) if (reader.read(bytes.subarray(at, at + size))) break
    expect([reader.end(), read], `pieces of ${size} bytes`).toEqual([usage, text])
  }
})

it.each([
  ['an error in the stream', 'data: {"error":{"message":"overloaded"}}\n\n'],
  ['a line without an end', `data: ${'x'.repeat(300_000)}`],
])('%s ends it', (_what, stream) => {
  const reader = createTextReader(() => {})
  expect(() => reader.read(Buffer.from(stream))).toThrow()
})

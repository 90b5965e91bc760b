import { describe, expect, it } from 'vitest'
import { readAnswerSettings } from './answer-settings.ts'
import { SettingsReader } from './settings.ts'

const URL = 'https://ai.example.com/v1/chat/completions'
function read(env: Record<string, string>, key = 'secret-key') {
  const settings = new SettingsReader(env, () => `${key}\n`)
  const answers = readAnswerSettings(settings)
  return { answers, problems: settings.problems.map(({ code }) => code) }
}
const named = (url: string, more: Record<string, string> = {}) => ({
  ...{ SEKISHO_ANSWERS_URL: url, SEKISHO_ANSWERS_MODEL: 'ours' },
  ...more,
})

it('are off unless an endpoint is named', () => {
  expect(read({ SEKISHO_ANSWERS_MODEL: 'ours', SEKISHO_ANSWERS_KEY_FILE: 'key' })).toEqual({
    answers: null,
    problems: [],
  })
})

it('have limits by default, and send no key without a file', () => {
  expect(read(named(URL)).answers).toEqual({
    endpoint: { url: URL, model: 'ours', key: null },
    ...{ rewritesOnly: false, tokensADay: 1_000_000, firstTextMs: 15_000, totalMs: 60_000 },
  })
})

it.each([
  ['bearer', ['Authorization', 'Bearer secret-key']],
  ['api-key', ['api-key', 'secret-key']],
])('send the key as %s', (auth, key) => {
  const more = { SEKISHO_ANSWERS_KEY_FILE: 'key', SEKISHO_ANSWERS_AUTH: auth }
  expect(read(named(URL, more)).answers?.endpoint.key).toEqual(key)
})

describe('an address', () => {
  it.each([
    [URL, {}],
    ['http://127.0.0.1:11434/v1/chat/completions', {}],
    ['http://[::1]:1234/v1/chat/completions', {}],
    ['http://gpu.internal/v1/chat/completions', { SEKISHO_ANSWERS_PRIVATE_HOSTS: 'gpu.internal' }],
  ])('%s may be asked', (url, more) => {
    expect(read(named(url, more)).problems).toEqual([])
  })
  it.each([
    'http://ai.example.com/v1/chat/completions',
    'http://127.0.0.1.example.com/v1/chat/completions',
    'https://user:password@ai.example.com/v1/chat/completions',
    'https://ai.example.com/v1/chat/completions#a',
    'https://ai.example.com/v1/embeddings',
    'file:///v1/chat/completions',
    'ai.example.com',
  ])('%s may not', (url) => {
    expect(read(named(url)).problems).toEqual(['bad_answers_url'])
  })
})

it('can rewrite only', () => {
  expect(read(named(URL, { SEKISHO_ANSWERS: 'rewrite' })).answers?.rewritesOnly).toBe(true)
})

it.each([
  ['no model', { SEKISHO_ANSWERS_URL: URL }, 'no_answers_model'],
  ['another header', named(URL, { SEKISHO_ANSWERS_AUTH: 'basic' }), 'not_one_of'],
  ['another use', named(URL, { SEKISHO_ANSWERS: 'rewrites' }), 'not_one_of'],
  ['a budget of nothing', named(URL, { SEKISHO_ANSWERS_TOKENS_A_DAY: '0' }), 'bad_count'],
])('%s is a problem', (_what, env, code) => {
  expect(read(env).problems).toEqual([code])
})

it('refuses a key of two lines, which could become two headers', () => {
  expect(read(named(URL, { SEKISHO_ANSWERS_KEY_FILE: 'key' }), 'a\nb').problems).toEqual(['bad_answers_key'])
})

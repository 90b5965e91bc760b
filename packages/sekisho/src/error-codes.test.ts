import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '@sekisho/contract/language'
import { expect, it } from 'vitest'
import { errorPages } from '../pack/error-pages.ts'
import { runExplain } from './commands/explain-code.ts'
import { PROBLEMS } from './error-codes.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CODES = PROBLEMS.map(({ publicCodes }) => publicCodes.join(' '))

it('gives each problem one code, and a sentence in each language', () => {
  expect(CODES.length).toBeGreaterThan(400)
  expect(CODES.filter((code, at) => CODES.indexOf(code) !== at || !/^\w+\.\w+$/.test(code))).toEqual([])
  for (const language of LANGUAGES)
    for (const problem of PROBLEMS)
      expect(problem.in(language)).not.toMatch(/(?<!")undefined|\[object|NaN|=>/)
})

it('knows each code that a command of this package ends with', () => {
  const sources = globSync('packages/sekisho/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  const thrown = sources.flatMap((file) => {
    const source = readFileSync(`${ROOT}${file}`, 'utf8')
    const makers = [...source.matchAll(/const (\w+) = createMessages\(TEXTS, '(\w+)'\)/g)]
    return makers.flatMap(([, maker, section]) => {
      const made = new RegExp(
        `(?:Error\\(|problems\\.push\\(|(?<!\\.)(?:complain|complainOf|misuse|refuse)\\([^{}\\n]*?)(?:'\\w+', )?\\s*\\[?\\s*${maker}\\(\\s*'(\\w+)'`,
        'g',
      )
      return [...source.matchAll(made)].map(([, code]) => `${section}.${code}`)
    })
  })
  expect(thrown.length).toBeGreaterThan(30)
  expect(thrown.filter((code) => !CODES.includes(code))).toEqual([])
})

it.each([...errorPages()])('%s is what the texts make; npm run errors writes it', (path, text) => {
  expect(readFileSync(`${ROOT}${path}`, 'utf8')).toBe(text)
})

it.each([
  ['en', ['findings.in_file'], 0, ['findings.in_file: {file}: {problem}']],
  ['ja', ['policy_broken'], 0, [expect.stringMatching(/^findings\.policy_broken: .*[ぁ-ん]/)]],
  ['en', ['no.such'], 1, [expect.stringMatching(/ unknown code no.such; .* \[command.explain_unknown\]$/)]],
  ['en', [], 2, [expect.stringMatching(/\[command.arguments_incomplete\]\n\nUsage: sekisho explain/)]],
  ['en', ['--what'], 2, [expect.stringMatching(/^Unknown option '--what' \[command.option_unknown\]\n/)]],
])('sekisho explain (%s) %j', async (language, args, code, said) => {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const io = { env: { SEKISHO_LANG: language }, cwd: '/', clock: Date.now, print: say, complain: say }
  expect([await runExplain(args, io), lines]).toEqual([code, said])
})

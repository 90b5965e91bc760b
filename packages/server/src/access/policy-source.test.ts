import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../kernel/monitoring/log.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { followedFile } from './followed-file.ts'
import { admits } from './policy.ts'
import { digestOfRules, readRules, writeRules } from './policy-rules.ts'
import { openPolicy, policyFile } from './policy-source.ts'

const by = (email: string) => ({ email, vouched: { address: true, groups: [], hasAllGroups: true } })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-policy-'))
})

const write = (text: string) => writeFileSync(join(folder, 'policy.json'), text)

const MINUTE = 60_000
const GOOD = '{"emails":["a@example.co.jp"]}'

/** A followed policy with a clock of the test's, and what its log said. */
function follow(keepMs: number, onChange?: Parameters<typeof policyFile>[2]) {
  const clock = { ms: 0 }
  const said: {
    readonly level: string
    readonly event: string
    readonly seconds: unknown
    readonly text: string
  }[] = []
  const log: Log = (level, event, fields = {}) =>
    said.push({ level, event, seconds: fields.keptForSeconds, text: JSON.stringify(fields) })
  const source = policyFile(join(folder, 'policy.json'), { keepMs, log, elapsed: () => clock.ms }, onChange)
  const lets = (email: string) => admits(source.read(), by(email))
  return { ...source, clock, said, lets }
}

/** Every way in which a file of the operator's goes wrong while a gate runs. */
const MISTAKES: readonly (readonly [name: string, make: (path: string) => void])[] = [
  ...[
    ['broken JSON', '{"emails":["a@example'],
    ['an empty file', ''],
    ['a trailing comma', '{"emails":["a@example.co.jp",]}'],
    ['a comment', '// mine\n{"emails":["a@example.co.jp"]}'],
    ['a list', '[]'],
    ['an unknown key', '{"emails":["a@example.co.jp"],"domain":[]}'],
    ['a key twice', '{"emails":["a@example.co.jp"],"emails":["b@example.co.jp"]}'],
    ['a wildcard', '{"domains":["*"]}'],
    ['a wrong type', '{"domains":"example.co.jp"}'],
    ['a member that is no text', '{"groups":{"sre":[1]}}'],
  ].map(([name = '', text = '']) => [name, (path: string) => writeFileSync(path, text)] as const),
  ['UTF-16', (path) => writeFileSync(path, Buffer.from(`\uFEFF${GOOD}`, 'utf16le'))],
  [
    'Shift_JIS',
    (path) => writeFileSync(path, Buffer.from('7b2267726f757073223a7b22738358223a5b5d7d7d', 'hex')),
  ],
  ['no file', (path) => rmSync(path)],
  ['a folder', (path) => [rmSync(path), mkdirSync(path)]],
  ['a link to nothing', (path) => [rmSync(path), symlinkSync('none.json', path)]],
  ['a device without an end', (path) => [rmSync(path), symlinkSync('/dev/zero', path)]],
  ['a file of 400 MB', (path) => truncateSync(path, 400_000_000)],
]

describe('policyFile', () => {
  it('49 shuts out a removed address on the next question', () => {
    write('{"emails":["a@example.co.jp","b@example.co.jp"]}')
    const { lets } = follow(10 * MINUTE)
    expect(lets('a@example.co.jp')).toBe(true)
    write('{"emails":["b@example.co.jp"]}')
    expect(lets('a@example.co.jp')).toBe(false)
    expect(lets('b@example.co.jp')).toBe(true)
  })

  it('notices a change that keeps size and time of the file', () => {
    const path = join(folder, 'policy.json')
    write('{"emails":["a@example.co.jp"]}')
    utimesSync(path, 1, 1)
    const { lets } = follow(0)
    expect(lets('a@example.co.jp')).toBe(true)
    write('{"emails":["b@example.co.jp"]}')
    utimesSync(path, 1, 1)
    expect(lets('a@example.co.jp')).toBe(false)
  })

  it('reads a file that stays wrong once a second, however many ask', () => {
    let parsed = 0
    const clock = { ms: 0 }
    const parse = () => {
      parsed += 1
      throw new Error('wrong')
    }
    const place = { path: join(folder, 'policy.json'), setting: 'SEKISHO_POLICY_FILE' }
    write(GOOD)
    const { read } = followedFile(place, parse, { keepMs: 0, log: () => {}, elapsed: () => clock.ms })
    for (; clock.ms < 3_000; clock.ms += 20) expect(read).toThrow(UnavailableError)
    expect(parsed).toBe(3)
    write(`${GOOD} `)
    expect(read).toThrow(UnavailableError)
    expect(parsed).toBe(4)
  })

  it.each(['\uFEFF', '\uFEFF\r\n'])('reads a file behind %j', (start) => {
    write(start + GOOD)
    expect(follow(0).lets('a@example.co.jp')).toBe(true)
  })

  it.each(MISTAKES)(
    '76 never starts with %s, and without keeping fails closed on it at once',
    (_row, make) => {
      write(GOOD)
      const { read, state } = follow(0)
      read()
      make(join(folder, 'policy.json'))
      expect(read).toThrow(UnavailableError)
      expect(state()).toBe('failed')
      expect(follow(10 * MINUTE).read).toThrow(UnavailableError)
    },
  )

  it.each(MISTAKES)(
    'keeps the last valid policy for ten minutes over %s, then fails closed',
    (_row, make) => {
      write(GOOD)
      const { read, lets, state, clock, said } = follow(10 * MINUTE)
      expect([lets('a@example.co.jp'), state(), said]).toEqual([true, 'ok', []])
      make(join(folder, 'policy.json'))
      clock.ms += 9 * MINUTE
      expect([lets('a@example.co.jp'), lets('b@example.co.jp'), state()]).toEqual([true, false, 'degraded'])
      clock.ms += MINUTE
      expect([read, state()]).toEqual([expect.any(Function), 'failed'])
      expect(read).toThrow(UnavailableError)
      const report = said.map(({ level, event, seconds }) => [level, event, seconds])
      expect(report).toEqual([
        ['error', 'followed_file_invalid', 60],
        ['error', 'followed_file_invalid', 0],
      ])
      rmSync(join(folder, 'policy.json'), { recursive: true, force: true })
      write(GOOD)
      expect([lets('a@example.co.jp'), state()]).toEqual([true, 'ok'])
      expect(said.at(-1)?.event).toBe('followed_file_valid')
    },
  )

  it('logs a mistake with its line and column, again each minute, and its end', () => {
    write(GOOD)
    const { state, clock, said } = follow(10 * MINUTE)
    state()
    write('{\n  "emails": ["a@example.co.jp",]\n}')
    for (let second = 0; second < 150; second += 1) {
      clock.ms += 1_000
      expect(state()).toBe('degraded')
    }
    expect(said.map(({ seconds }) => seconds)).toEqual([599, 539, 479])
    expect(said[0]?.text).toContain('line 2, column 32')
    write(GOOD)
    expect(state()).toBe('ok')
    expect(said.slice(3).map(({ level, event }) => [level, event])).toEqual([['warn', 'followed_file_valid']])
  })

  it('applies an empty policy at once: it is valid, and admits no reader', () => {
    write(GOOD)
    const { read } = follow(10 * MINUTE)
    read()
    write('{"emails":[]}')
    expect(read).toThrow(UnavailableError)
    write('broken')
    expect(read).toThrow(UnavailableError)
  })

  it('tells of each change before it counts, and of nothing else', () => {
    const changes: string[] = []
    write('{"emails":["a@example.co.jp"]}')
    const { read } = follow(0, ({ emails }) => changes.push([...emails].join()))
    read()
    write('{ "emails": ["a@example.co.jp"] }')
    read()
    write('broken')
    expect(read).toThrow(UnavailableError)
    write('{"emails":["b@example.co.jp"]}')
    read()
    expect(changes).toEqual(['b@example.co.jp'])
  })

  it('admits no reader by a policy whose change cannot be recorded, nor by the one before', () => {
    write('{"emails":["a@example.co.jp"]}')
    const { read } = follow(10 * MINUTE, () => {
      throw new UnavailableError('unavailable', 'the audit trail cannot be written')
    })
    read()
    write('{"emails":["b@example.co.jp"]}')
    expect(read).toThrow(UnavailableError)
    expect(read).toThrow(UnavailableError)
  })

  it('leaves every rule of a changed policy in the trail, under the digest that the change names', () => {
    const file = join(folder, 'policy.json')
    write('{"emails":["a@example.co.jp"]}')
    const lines: Record<string, unknown>[] = []
    const record = (event: string, fields: object = {}) => lines.push({ event, ...fields })
    const { read: policy } = openPolicy({ file }, { record }, { keepMs: 0, log: () => {} })
    policy()
    const members = [
      'entra:0815',
      '@sre.example.co.jp',
      'okta:Ops 運用',
      'b@example.co.jp',
      'owner:@acme/sre',
    ]
    const emails = Array.from({ length: 600 }, (_, at) => `a${at}@example.co.jp`)
    write(JSON.stringify({ domains: ['example.co.jp'], emails, groups: { sre: members } }))
    const rules = writeRules(policy())
    const digest = digestOfRules(rules)
    expect(lines).toEqual([
      { event: 'policy_rules', policy: digest, part: 1, parts: 2, rules: rules.slice(0, 500) },
      { event: 'policy_rules', policy: digest, part: 2, parts: 2, rules: rules.slice(500) },
      { event: 'policy_changed', policy: digest, addresses: 600, domains: ['example.co.jp'] },
    ])
    expect(readRules(rules)).toEqual({ policy: policy(), problems: [] })
    expect(readRules(['domain example.co.jp']).problems).toHaveLength(1)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admits } from './policy.ts'
import { digestOfRules, readRules, writeRules } from './policy-rules.ts'
import { openPolicy, policyFile } from './policy-source.ts'

const by = (email: string) => ({ email, vouched: { address: true, groups: [], hasAllGroups: true } })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-policy-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (text: string) => writeFileSync(join(folder, 'policy.json'), text)

describe('policyFile', () => {
  it('49 shuts out a removed address on the next question', () => {
    write('{"emails":["a@example.co.jp","b@example.co.jp"]}')
    const source = policyFile(join(folder, 'policy.json'))
    expect(admits(source(), by('a@example.co.jp'))).toBe(true)
    write('{"emails":["b@example.co.jp"]}')
    expect(admits(source(), by('a@example.co.jp'))).toBe(false)
    expect(admits(source(), by('b@example.co.jp'))).toBe(true)
  })

  it.each([
    ['broken JSON', '{"emails":["a@example'],
    ['a list', '[]'],
    ['an unknown key', '{"emails":["a@example.co.jp"],"domain":[]}'],
    ['nobody', '{}'],
    ['a wildcard', '{"domains":["*"]}'],
    ['a wrong type', '{"domains":"example.co.jp"}'],
  ])('76 fails closed on %s, after a good policy too', (_row, text) => {
    write('{"emails":["a@example.co.jp"]}')
    const source = policyFile(join(folder, 'policy.json'))
    source()
    write(text)
    expect(source).toThrow(UnavailableError)
  })

  it('tells of each change before it counts, and of nothing else', () => {
    const path = join(folder, 'policy.json')
    const changes: string[] = []
    write('{"emails":["a@example.co.jp"]}')
    const source = policyFile(path, ({ emails }) => changes.push([...emails].join()))
    source()
    write('{ "emails": ["a@example.co.jp"] }')
    source()
    write('broken')
    expect(source).toThrow(UnavailableError)
    write('{"emails":["b@example.co.jp"]}')
    source()
    expect(changes).toEqual(['b@example.co.jp'])
  })

  it('admits nobody by a policy whose change cannot be recorded', () => {
    write('{"emails":["a@example.co.jp"]}')
    const source = policyFile(join(folder, 'policy.json'), () => {
      throw new UnavailableError('unavailable', 'the audit trail cannot be written')
    })
    source()
    write('{"emails":["b@example.co.jp"]}')
    expect(source).toThrow(UnavailableError)
    expect(source).toThrow(UnavailableError)
  })

  it('76 fails closed when the file is gone', () => {
    expect(policyFile(join(folder, 'none.json'))).toThrow(UnavailableError)
  })

  it('leaves every rule of a changed policy in the trail, under the digest that the change names', () => {
    const file = join(folder, 'policy.json')
    write('{"emails":["a@example.co.jp"]}')
    const lines: Record<string, unknown>[] = []
    const policy = openPolicy({ file }, { record: (event, fields) => lines.push({ event, ...fields }) })
    policy()
    const members = ['entra:0815', '@sre.example.co.jp', 'okta:Ops 運用', 'b@example.co.jp']
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

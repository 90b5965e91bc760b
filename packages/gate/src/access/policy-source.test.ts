import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admits } from './policy.ts'
import { policyFile } from './policy-source.ts'

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
})

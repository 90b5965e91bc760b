import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { describe, expect, it } from 'vitest'
import { publishRulesFile, readPublishRules } from './publish-rules.ts'

describe('publish rules', () => {
  it.each([
    ['a name in the place of the number', { repository_id: 'example/docs' }],
    ['both a repository and a project', { project_id: '1' }],
    ['a branch without refs/', { ref: 'main' }],
    ['every branch for production', { ref: 'refs/heads/*' }],
    ['an issuer over http', { issuer: 'http://ci.test' }],
    ['an unknown right', { may: ['everything'] }],
    ['no right', { may: [] }],
    ['an unknown key', { branch: 'main' }],
  ])('refuse %s', (_name, change) => {
    const rule = {
      issuer: 'https://ci.test',
      repository_id: '4711',
      ref: 'refs/heads/main',
      may: ['publish'],
    }
    const read = (one: object) => {
      const problems: Message[] = []
      readPublishRules(JSON.stringify({ rules: [one] }), problems)
      return problems
    }
    expect(read(rule)).toEqual([])
    expect(read({ ...rule, ...change })).not.toEqual([])
  })

  it('of a file count from the next request; one that is wrong or gone lets no job publish', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sekisho-rules-'))
    const file = join(folder.path, 'rules.json')
    const clock = { ms: 0 }
    const options = { keepMs: 60_000, log: () => {}, elapsed: () => clock.ms }
    const { read, state } = publishRulesFile(file, options)
    const rule = { issuer: 'https://ci.test', project_id: '42', ref: 'refs/heads/main', may: ['publish'] }
    expect(read).toThrow('cannot be used')
    await writeFile(file, `\uFEFF${JSON.stringify({ rules: [rule] })}`)
    expect(read()).toHaveLength(1)
    await writeFile(file, JSON.stringify({ rules: [rule, rule] }))
    expect(read()).toHaveLength(2)
    await writeFile(file, JSON.stringify({ rules: [{ ...rule, ref: 'main' }] }))
    expect([read().length, state()]).toEqual([2, 'degraded'])
    clock.ms += 60_000
    expect(read).toThrow('cannot be used')
    await writeFile(file, JSON.stringify({ rules: [] }))
    expect([read(), state()]).toEqual([[], 'ok'])
  })
})

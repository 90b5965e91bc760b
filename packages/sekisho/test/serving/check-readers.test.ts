import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { readConfig } from '@sekisho/server/settings'
import { beforeAll, expect, it } from 'vitest'
import { checkReaders } from '../../src/commands/check/checks/readers.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sekisho-check-readers-'))
const policyFile = join(dataDir, 'policy.json')
const env = { SEKISHO_DATA_DIR: dataDir, SEKISHO_POLICY_FILE: policyFile }
beforeAll(async () => {
  await using build = await createTestBuild()
  const { buildDir } = build
  const editions = [
    { name: 'sales', audiences: ['sales'], buildDir },
    { name: 'partner', audiences: ['partner'], buildDir },
    { name: 'everyone', audiences: [], buildDir },
  ]
  await packRelease({ editions, dataDir, clock: () => Date.UTC(2026, 10, 23) })
})

async function look(groups: object): Promise<readonly string[]> {
  writeFileSync(policyFile, JSON.stringify({ domains: ['example.co.jp'], groups }))
  const io = { env, cwd: dataDir, clock: Date.now, print: () => {}, complain: () => {} }
  const config = readConfig(env, { mode: 'local', readFile: () => '' })
  return (await checkReaders(config, io, false)).findings.map(String)
}

it('names readers who get one of two editions that contain each other in part', async () => {
  const found = await look({
    sales: ['a@example.co.jp', 'entra:both'],
    partner: ['a@example.co.jp', 'entra:both', '@partner.test'],
  })
  expect(found).toHaveLength(2)
  expect(found[0]).toContain('a@example.co.jp may read the editions sales and partner')
  expect(found[1]).toContain('entra:both')
})

it('reports nothing where all readers get all that they may read', async () => {
  expect(await look({ sales: ['a@example.co.jp'], partner: ['@partner.test'] })).toEqual([])
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { beforeAll, expect, it } from 'vitest'
import { runAccess } from './access.ts'

const POLICY = {
  domains: ['example.co.jp'],
  emails: ['guest@partner.test'],
  groups: { operators: ['ichiro@example.co.jp', 'entra:0815'], partners: ['@partner.test'] },
}

const dataDir = mkdtempSync(join(tmpdir(), 'sekisho-access-'))
const policyFile = join(dataDir, 'policy.json')
beforeAll(async () => {
  await using build = await createTestBuild()
  const { buildDir } = build
  const editions = [
    { name: 'ops', audiences: ['operators'], buildDir },
    { name: 'everyone', audiences: [], buildDir },
  ]
  await packRelease({ editions, dataDir, clock: () => Date.UTC(2026, 10, 23) })
  writeFileSync(policyFile, JSON.stringify(POLICY))
})

async function explain(...args: readonly string[]) {
  const printed: string[] = []
  const say = (line: string) => printed.push(line)
  const env = { SEKISHO_POLICY_FILE: policyFile, SEKISHO_LANG: 'en' }
  const code = await runAccess([...args, '--data-dir', dataDir], {
    ...{ env, cwd: dataDir, clock: Date.now, print: say, complain: say },
  })
  return { code, text: printed.join('\n') }
}

it.each([
  ['hanako@example.co.jp', 0, 'yes: domains example.co.jp', 'none', 'everyone'],
  ['ICHIRO@example.co.jp', 0, 'yes: domains example.co.jp', 'operators', 'ops'],
  ['guest@partner.test', 0, 'yes: emails guest@partner.test', 'partners', 'everyone'],
  ['other@partner.test', 0, 'yes: groups partners', 'partners', 'everyone'],
  ['hanako@elsewhere.test', 1, 'no: no rule matches the address', 'none', 'none'],
])('says of %s what the gate would do', async (address, code, rule, groups, edition) => {
  const said = await explain('explain', address)
  expect([said.code, said.text.split('\n')[0]]).toEqual([code, address])
  expect(said.text).toContain(`may read: ${rule}\n  groups: ${groups}\n`)
  expect(said.text).toContain(`from the provider: unknown: not signed in\n  edition: ${edition}\n`)
})

it('says no where the gate refused the address that its provider did not verify', async () => {
  const folder = dataFolderAt(dataDir)
  openSqliteSessions(folder.sessions, { context: null }).close()
  const trail = await openFolderTrail(folder, { now: Date.now, onFailure: () => {} })
  const attempt = (event: 'sign_in_refused' | 'signed_in', reason?: string) =>
    trail.recordDurably(event, { email: 'Jiro@example.co.jp', ...(reason !== undefined && { reason }) })
  await attempt('sign_in_refused', 'email_unverified')
  const said = await explain('explain', 'jiro@example.co.jp')
  expect([said.code, said.text]).toEqual([
    1,
    expect.stringContaining('may read: no: the provider said at the last'),
  ])
  await attempt('signed_in')
  expect((await explain('explain', 'jiro@example.co.jp')).code).toBe(0)
  await trail.close()
})

it('says what it takes, and what is wrong with the policy', async () => {
  expect(await explain('explain')).toMatchObject({
    code: 2,
    text: expect.stringContaining('access explain ADDRESS'),
  })
  writeFileSync(policyFile, '{ "domains": [] }')
  const { code, text } = await explain('explain', 'hanako@example.co.jp')
  expect([code, text]).toEqual([1, expect.stringContaining('the policy admits nobody')])
})

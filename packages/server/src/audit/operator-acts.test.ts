import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DataFolder, dataFolderAt } from '../storage/data-folder.ts'
import { openFolderTrail, verifyFolderTrail } from './folder-trail.ts'
import { readOperator, recordOperatorAct } from './operator-acts.ts'

let folder: DataFolder
beforeEach(() => {
  folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'sekisho-acts-')))
})
afterEach(() => rmSync(folder.root, { recursive: true }))

const act = (release: string) => recordOperatorAct(folder, readOperator({}), 'release_published', { release })
const records = () =>
  readFileSync(join(folder.audit.lines, 'operator-000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

it('says who acts: the system user, who became root, the name that a pipeline gives', () => {
  const { username: user } = userInfo()
  const host = hostname()
  expect(readOperator({})).toEqual({ user, host, name: null })
  expect(readOperator({ SUDO_USER: 'hanako', SEKISHO_OPERATOR: ' ci 42 ' })).toEqual({
    ...{ user: `${user} (sudo hanako)`, host, name: 'ci 42' },
  })
})

it('commands at once write one chain, beside a gate that is running', async () => {
  const trail = await openFolderTrail(folder, {
    now: Date.now,
    onFailure(error) {
      throw error
    },
  })
  await trail.recordDurably('gate_started', {})
  await Promise.all(['r1', 'r2', 'r3'].map(act))
  await trail.close()
  expect((await verifyFolderTrail(folder)).problems).toEqual([])
  expect(
    records()
      .flatMap(({ release = [] }) => release)
      .toSorted(),
  ).toEqual(['r1', 'r2', 'r3'])
  expect(records().some(({ event, chain }) => event === 'head_noted' && chain === 'gate')).toBe(true)
})

it.runIf(process.getuid?.() === 0)('what root did can be read by the user of the folder', async () => {
  chownSync(folder.root, 1234, 1234)
  await act('r1')
  for (const place of [folder.audit.lines, folder.audit.heads, folder.root])
    for (const name of readdirSync(place))
      expect([name, statSync(join(place, name)).uid]).toEqual([name, 1234])
})

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditTrail, openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt, makeDataFolder } from '@sekisho/server/data-folder'
import { readPolicyText } from '@sekisho/server/settings'
import { createEditionRecorder, recordRules } from '@sekisho/server/testing'
import { beforeAll, expect, it } from 'vitest'
import { runAccess } from '../../src/commands/access/access.ts'
import { csvLine } from '../../src/commands/access/csv.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sekisho-review-'))

const HOUR = 3_600_000
const STARTED = Date.UTC(2026, 10, 1, 9)
const at = (hours: number) => new Date(STARTED + hours * HOUR).toISOString()
const policyOf = (operators: readonly string[]) =>
  readPolicyText(
    JSON.stringify({ domains: ['example.co.jp'], groups: { operators, partners: ['@partner.test'] } }),
  ).policy
const [OPS, ALL] = [
  { name: 'ops', audiences: ['operators'] },
  { name: 'everyone', audiences: [] },
]
const editionsOf = (...editions: readonly object[]) => ({ id: 'r', editions }) as never

/** Records a gate's history: starts at 0 h, a policy at 2 h, editions at 4 h, groups at 6 h. */
async function live(audit: AuditTrail, setHours: (hours: number) => void) {
  const serve = createEditionRecorder(audit)
  const adopt = (operators: readonly string[], event: 'gate_started' | 'policy_changed') => {
    recordRules(() => policyOf(operators), audit)
    audit.record(event, { policy: digests.get(operators.join()) ?? '' })
  }
  setHours(0)
  adopt(['ichiro@example.co.jp'], 'gate_started')
  const hanako = { email: 'hanako@example.co.jp', issuer: 'https://op.test', sub: '1' }
  const spy = { email: '=HYPERLINK("https://evil.test")@example.co.jp', issuer: 'https://op.test', sub: '2' }
  audit.record('signed_in', { ...hanako, session: 's1', groups: [] })
  audit.record('signed_in', { ...spy, session: 's2', groups: [], unvouched: 'email' })
  setHours(1)
  audit.recordReading({
    event: 'answer_read',
    reader: { ...hanako, id: 's1' },
    path: '/',
    release: 'r',
    request: 'q',
  })
  setHours(2)
  adopt(['ichiro@example.co.jp', 'entra:0815'], 'policy_changed')
  setHours(4)
  serve(editionsOf(OPS, ALL))
  setHours(6)
  audit.record('groups_changed', { ...hanako, session: 's1', groups: ['entra:0815'] })
  await audit.flush()
}
/** As the gate describes a policy; filled by the first run. */
const digests = new Map<string, string>()

beforeAll(async () => {
  const { digestOfRules, writeRules } = await import('@sekisho/server/settings')
  for (const list of [['ichiro@example.co.jp'], ['ichiro@example.co.jp', 'entra:0815']])
    digests.set(list.join(), digestOfRules(writeRules(policyOf(list))))
  const folder = dataFolderAt(dataDir)
  makeDataFolder(folder)
  let nowMs = STARTED
  const audit = await openFolderTrail(folder, {
    now: () => nowMs,
    onFailure: (error) => expect.fail(String(error)),
  })
  await live(audit, (hours) => {
    nowMs = STARTED + hours * HOUR
  })
  await audit.close()
})

async function review(...args: readonly string[]) {
  const printed: string[] = []
  const say = (line: string) => printed.push(line)
  const code = await runAccess(['review', ...args, '--data-dir', dataDir], {
    ...{
      env: { SEKISHO_LANG: 'en' },
      cwd: dataDir,
      clock: () => STARTED + 24 * HOUR,
      print: say,
      complain: say,
    },
  })
  return { code, text: printed.join('\n') }
}
/** Row of one reader: may read, rule, groups, edition, and the times of signing in and reading. */
const rowOf = (text: string, who: string) =>
  text
    .split('\r\n')
    .map((line) => line.trimEnd().slice(1, -1).split('","'))
    .find((cells) => cells[2] === who)
    ?.slice(5)

it.each([
  [0.5, 'hanako@example.co.jp', ['yes', 'domains example.co.jp', '', 'default', at(0), at(0), '']],
  [1.5, 'hanako@example.co.jp', ['yes', 'domains example.co.jp', '', 'default', at(0), at(0), at(1)]],
  [3, 'entra:0815', ['yes', 'groups operators', 'operators', 'default', '', '', '']],
  [1.5, 'entra:0815', undefined],
  [5, 'hanako@example.co.jp', ['yes', 'domains example.co.jp', '', 'everyone', at(0), at(0), at(1)]],
  [7, 'hanako@example.co.jp', ['yes', 'domains example.co.jp', 'operators', 'ops', at(0), at(0), at(1)]],
  [5, 'ichiro@example.co.jp', ['yes', 'domains example.co.jp', 'operators', 'ops', '', '', '']],
  [5, 'example.co.jp', ['yes', 'domains example.co.jp', '', 'everyone', '', '', '']],
  [5, 'partner.test', ['yes', 'groups partners', 'partners', 'everyone', '', '', '']],
])('says of %d h what %s could read', async (hours, who, cells) => {
  const { code, text } = await review('--at', at(hours))
  expect([code, rowOf(text, who)]).toEqual([0, cells])
})

it('writes no formula: an account that no rule admits is a row, and its cell is text', async () => {
  const { text } = await review('--at', at(5))
  expect(text.startsWith('\uFEFF"at","kind"')).toBe(true)
  expect(text).toContain(
    `"'=HYPERLINK(""https://evil.test"")@example.co.jp","https://op.test","2","no","","","",`,
  )
  expect(csvLine(['=1', ' +1', '-1', '@a', '\t=1', '\u200b=1', '＝1', 'a=1', 'x\ny'])).toBe(
    `"'=1","' +1","'-1","'@a","'�=1","'�=1","'＝1","a=1","x�y"`,
  )
})

it('writes a file and records in the trail that the review was made, with its digest', async () => {
  const { code } = await review('--at', at(5), '--out', 'review.csv')
  expect([code, readFileSync(join(dataDir, 'review.csv'), 'utf8').split('\r\n').length]).toEqual([0, 8])
  const act = readFileSync(join(dataDir, 'audit', 'operator-000001.jsonl'), 'utf8')
  expect(act).toMatch(/"act":"access_reviewed".*"rows":6,"sha256":"[0-9a-f]{64}"/)
})

it('says what the trail does not tell', async () => {
  expect(await review('--at', at(-1))).toMatchObject({ code: 1, text: expect.stringContaining('begins at') })
  expect(await review('--at', 'yesterday')).toMatchObject({ code: 2 })
})

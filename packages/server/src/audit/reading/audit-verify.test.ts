import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DataFolder, dataFolderAt } from '../../storage/data-folder.ts'
import { CHAIN_START, readLink } from '../chain/audit-chain.ts'
import { openAuditKey } from '../chain/audit-key.ts'
import { createAuditQueue } from '../chain/audit-queue.ts'
import { openAuditFolder } from '../files/audit-folder.ts'
import { verifyFolderTrail } from '../folder-trail.ts'
import { recordOperatorAct } from '../operator-acts.ts'
import { openAuditTrail } from '../writing/audit-trail.ts'

const OPERATOR = { user: 'ops', host: 'machine', name: null }
const NOVEMBER = Date.parse('2026-11-30T23:00:00Z')
let folder: DataFolder
let nowMs: number

beforeEach(() => {
  folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'sekisho-verify-')))
  nowMs = NOVEMBER
})
afterEach(() => rmSync(folder.root, { recursive: true }))

const now = () => nowMs
const openGate = async () =>
  openAuditTrail({
    chain: 'gate',
    store: openAuditFolder({ places: folder.audit, chain: 'gate', now, maxFileBytes: 1_500 }),
    key: openAuditKey(folder.auditKey),
    now,
    onFailure(error) {
      throw error
    },
  })
const verify = (expected = {}) => verifyFolderTrail(folder, expected)
const problems = async (expected = {}) =>
  (await verify(expected)).problems.map(
    ({ place, lineNumber, problem }) => `${place} ${lineNumber} ${problem}`,
  )

/** A gate's trail of 24 lines and an end in several files, and one act of an operator. */
async function fill(lines = 24): Promise<void> {
  const trail = await openGate()
  for (let count = 1; count <= lines; count += 1) {
    trail.record('signed_out', { session: `s${count}` })
    await trail.flush()
    nowMs += 60_000
  }
  await trail.close()
  await recordOperatorAct(folder, OPERATOR, 'release_published', { release: 'r1' })
}

const files = () =>
  readdirSync(folder.audit.lines)
    .filter((name) => name.startsWith('gate'))
    .sort()
const at = (index: number) => join(folder.audit.lines, files().at(index) ?? '')
const edit = (file: string, change: (lines: string[]) => string[]) => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
}
const replaceIn = (index: number, from: string | RegExp, to: string) => (lines: string[]) =>
  lines.map((line, at) => (at === index ? line.replace(from, to) : line))
const without = (index: number) => (lines: string[]) => lines.filter((_, at) => at !== index)

/** Forges a line with a valid hash. */
function forge(before: string, path: string): string {
  const queue = createAuditQueue(readLink(before) ?? CHAIN_START)
  queue.add({ at: new Date(nowMs).toISOString(), event: 'page_read', path })
  return queue.first()?.lines.join('').trimEnd() ?? ''
}

/** Changes of one line. */
const ALTERED: readonly (readonly [row: string, from: string | RegExp, to: string])[] = [
  ['a word changed', 'signed_out', 'signed_in'],
  ['a hash replaced', /"hash":"../, '"hash":"zz'],
  ['a field behind the hash', /\}$/, ',"x":1}'],
]
const SAID_OF_ALTERED = 'gate-000002.jsonl 3 the line was altered'

/** Changes by an attacker with write access to the trail's folder, and the expected message. */
const MUTANTS: readonly (readonly [row: string, change: () => void, said: string])[] = [
  ...ALTERED.map(
    ([row, from, to]) => [row, () => edit(at(1), replaceIn(2, from, to)), SAID_OF_ALTERED] as const,
  ),
  ['the first line cut', () => edit(at(0), without(1)), 'gate-000001.jsonl 2 line 1 of the chain is missing'],
  [
    'the first lines cut with their header',
    () => edit(at(0), (lines) => lines.slice(3)),
    'gate 0 lines 1 to 2 are missing at its beginning',
  ],
  ['a line in the middle cut', () => edit(at(1), without(2)), 'gate-000002.jsonl 3 line '],
  [
    'a line doubled',
    () => edit(at(1), (lines) => lines.flatMap((line, n) => (n === 2 ? [line, line] : [line]))),
    'gate-000002.jsonl 4 line ',
  ],
  [
    'two lines swapped',
    () => edit(at(1), ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]),
    'gate-000002.jsonl 2 line ',
  ],
  [
    'a line forged',
    () => edit(at(1), ([a = '', b = '', , ...rest]) => [a, b, forge(b, '/forged'), ...rest]),
    'gate-000002.jsonl 4 the line before it was altered or replaced',
  ],
  [
    'the first file removed',
    () => unlinkSync(at(0)),
    'are missing at its beginning, and no note says that they were removed',
  ],
  [
    'a file in the middle removed',
    () => unlinkSync(at(1)),
    'gate-000003.jsonl 1 the file before it is missing: number 2',
  ],
  ['the last file removed', () => unlinkSync(at(-1)), 'are missing at its end'],
  [
    'lines cut from the end',
    () => edit(at(-1), (lines) => lines.slice(0, -1)),
    'gate 0 lines 25 to 25 are missing at its end',
  ],
  [
    'the end of a file in the middle cut',
    () => edit(at(1), (lines) => lines.slice(0, -1)),
    'of the chain is missing: the file before it was cut',
  ],
  [
    'two files under each other’s name',
    () => {
      const [one, two] = [at(0), at(1)]
      renameSync(one, join(folder.root, 'one'))
      renameSync(two, one)
      renameSync(join(folder.root, 'one'), two)
    },
    'gate-000001.jsonl 1 the file is another one than its name says',
  ],
  [
    'the folder emptied',
    () => rmSync(folder.audit.lines, { recursive: true }),
    'gate 0 lines 1 to 25 are missing at its end',
  ],
  [
    'both folders emptied',
    () => {
      rmSync(folder.audit.lines, { recursive: true })
      rmSync(folder.audit.heads, { recursive: true })
    },
    'the trail 0 there is not one line',
  ],
  [
    'the heads removed',
    () => rmSync(folder.audit.heads, { recursive: true }),
    'gate 0 no signed head says where it ends',
  ],
  [
    'the head of another chain in its place',
    () => cpSync(join(folder.audit.heads, 'operator.json'), join(folder.audit.heads, 'gate.json')),
    'gate 0 no signed head says where it ends',
  ],
  [
    'a head altered',
    () =>
      edit(join(folder.audit.heads, 'gate.json'), ([line = '']) => [line.replace('"seq":25', '"seq":24')]),
    'the signed heads 0 one was not signed with this key',
  ],
]

describe('audit verify', () => {
  it('follows every chain, over files and restarts', async () => {
    await fill()
    const { ok, chains } = await verify()
    expect(files().length).toBeGreaterThan(3)
    expect(chains).toMatchObject([
      { chain: 'gate', lines: 25, firstSeq: 1, isUnfinished: false },
      { chain: 'operator', lines: 2, firstSeq: 1 },
    ])
    expect(ok).toBe(true)
  })

  it.each(MUTANTS)('finds %s', async (_row, change, said) => {
    await fill()
    change()
    const found = await problems()
    expect(found.join('\n')).toContain(said)
  })

  it('finds another chain removed with its head, once the gate noted it', async () => {
    await fill()
    const trail = await openGate()
    await trail.tend(365 * 86_400_000)
    await trail.close()
    unlinkSync(join(folder.audit.lines, 'operator-000001.jsonl'))
    unlinkSync(join(folder.audit.heads, 'operator.json'))
    expect(await problems()).toEqual(['operator 0 another chain noted line 2, which is missing'])
  })

  it('finds a trail rewritten from the start, whose signed head was kept', async () => {
    await fill()
    const queue = createAuditQueue(CHAIN_START)
    for (let count = 0; count < 30; count += 1) queue.add({ at: '2026', event: 'page_read' })
    for (const name of files().slice(1)) unlinkSync(join(folder.audit.lines, name))
    edit(at(0), ([header = '']) => [header, ...(queue.first()?.lines ?? []).map((line) => line.trimEnd())])
    expect(await problems()).toContain(
      'gate-000001.jsonl 26 it is not the line whose hash was signed: the trail was rewritten',
    )
  })

  it('finds an older copy of everything by a head that was noted elsewhere', async () => {
    await fill()
    cpSync(folder.root, `${folder.root}-copy`, { recursive: true })
    const trail = await openGate()
    await trail.recordDurably('signed_in', { session: 'later' })
    const { hash } = trail.head()
    await trail.close()
    expect(await problems({ heads: [hash] })).toEqual([])
    rmSync(folder.root, { recursive: true })
    renameSync(`${folder.root}-copy`, folder.root)
    expect(await problems()).toEqual([])
    expect((await problems({ heads: [hash] })).join()).toContain('the expected head')
  })

  it('finds an older first line missing that was noted elsewhere', async () => {
    await fill()
    expect(await problems({ firsts: new Map([['gate', 1]]) })).toEqual([])
    unlinkSync(at(0))
    expect((await problems({ firsts: new Map([['gate', 1]]) })).join()).toContain('it should begin at line 1')
    expect((await problems({ firsts: new Map([['gate-b', 1]]) })).join()).toContain('begins at 0')
  })

  it('goes on failing when a gate was started on what was left', async () => {
    await fill()
    rmSync(folder.audit.lines, { recursive: true })
    const trail = await openGate()
    await trail.close()
    expect(await problems()).toEqual([
      'gate-000001.jsonl 2 lines before it were missing when the gate was started',
      'operator 0 lines 1 to 2 are missing at its end: they were signed on ' +
        (await verify()).chains.find(({ chain }) => chain === 'operator')?.signedAt,
    ])
  })

  it('takes a clock that is set back over the end of a month', async () => {
    nowMs = Date.parse('2026-12-01T00:00:10Z')
    await fill(3)
    nowMs = Date.parse('2026-11-30T23:59:50Z')
    await fill(3)
    expect(await problems()).toEqual([])
  })

  it('keeps lines removed for their age apart from stolen ones', async () => {
    await fill()
    nowMs += 400 * 86_400_000
    const trail = await openGate()
    for (let hour = 0; hour < 3; hour += 1) await trail.tend(365 * 86_400_000)
    await trail.close()
    expect(files()[0]).toBe('gate-000004.jsonl')
    expect(await problems()).toEqual([])
    unlinkSync(at(0))
    expect((await problems()).join()).toContain('no note says that they were removed')
  })

  it('says that the last line is unfinished, which a gate at work may have just begun', async () => {
    await fill()
    appendFileSync(at(-1), '{"seq":26,"prev":"')
    const { ok, chains } = await verify()
    expect([ok, chains[0]?.isUnfinished]).toEqual([true, true])
  })

  it('goes on behind a chain whose signed head was taken, and says up to where that leaves it unsigned', async () => {
    await fill(3)
    const { chains } = await verify()
    unlinkSync(join(folder.audit.heads, 'gate.json'))
    await fill(3)
    expect(await verify()).toMatchObject({ ok: true, chains: [{ unsignedThrough: chains[0]?.lines }, {}] })
  })
})

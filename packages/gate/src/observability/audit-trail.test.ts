import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../http/boundary.ts'
import { readLink, verifyAudit } from './audit-chain.ts'
import { createAuditQueue } from './audit-queue.ts'
import { type AuditTrail, openAuditTrail, type Reading } from './audit-trail.ts'

let folder: string
let nowMs: number
let failures: unknown[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-audit-'))
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  failures = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openAuditTrail({ folder, now: () => nowMs, onFailure: (error) => failures.push(error) })
const file = (month = '2026-11') => join(folder, `${month}.jsonl`)
const linesOf = (month?: string) => readFileSync(file(month), 'utf8').trimEnd().split('\n')

const ALICE: Reading['reader'] = { email: 'a@example.co.jp', sub: 'uid-a', id: 'session-a' }

function give(trail: AuditTrail, path: string, reader = ALICE, release = 'r1'): void {
  trail.recordReading({ reader, path, release, request: `request-of-${path}` })
}

async function read(trail: AuditTrail, ...paths: string[]): Promise<void> {
  for (const path of paths) give(trail, path)
  await trail.flush()
}

/** A second line as somebody would write it who knows how the chain is made. */
function forge(firstLine: string): string {
  const head = readLink(firstLine)
  if (head === null) return ''
  const queue = createAuditQueue(head)
  queue.add({ at: new Date(nowMs).toISOString(), event: 'page_read', path: '/forged' })
  return queue.first()?.lines.join('').trimEnd() ?? ''
}

const pickReading = (line: Record<string, unknown>) =>
  ['event', 'path', 'session', 'release'].map((name) => line[name])

/** Each alteration is made to line 2 of a trail of three. */
const ALTERATIONS: readonly (readonly [row: string, change: (lines: string[]) => string[], line: number])[] =
  [
    ['a word changed', ([a = '', b = '', c = '']) => [a, b.replace('/b', '/x'), c], 2],
    ['a hash replaced', ([a = '', b = '', c = '']) => [a, b.replace(/"hash":"../, '"hash":"00'), c], 2],
    ['a line removed', ([a = '', , c = '']) => [a, c], 2],
    ['two lines swapped', ([a = '', b = '', c = '']) => [a, c, b], 2],
    ['a line doubled', ([a = '', b = '', c = '']) => [a, b, b, c], 3],
    ['a line rewritten with a hash that fits it', ([a = '', , c = '']) => [a, forge(a), c], 3],
    ['a field added behind the hash', ([a = '', b = '', c = '']) => [a, b.replace('}', ',"x":1}'), c], 2],
  ]

describe('the audit trail', () => {
  it('is a chain that verifies, over restarts and months', async () => {
    await read(open(), '/a', '/b')
    await read(open(), '/c')
    nowMs = Date.parse('2026-12-01T00:00:00Z')
    await read(open(), '/d')
    expect(verifyAudit(folder)).toMatchObject({ ok: true, lines: 4, firstSeq: 1, head: { seq: 4 } })
    rmSync(file('2026-11'))
    expect(verifyAudit(folder)).toMatchObject({ ok: true, lines: 1, firstSeq: 4 })
  })

  it('knows its last line, by which lines cut from its end show later', async () => {
    const trail = open()
    await read(trail, '/a', '/b')
    const { hash } = trail.head()
    expect(verifyAudit(folder)).toMatchObject({ ok: true, head: trail.head() })
    writeFileSync(file(), `${linesOf()[0]}\n`)
    expect(verifyAudit(folder).ok).toBe(true)
    expect(verifyAudit(folder, hash)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('cut from the end'),
    })
  })

  it.each(ALTERATIONS)('names the first altered line: %s', async (_row, change, lineNumber) => {
    await read(open(), '/a', '/b', '/c')
    writeFileSync(file(), `${change(linesOf()).join('\n')}\n`)
    expect(verifyAudit(folder)).toMatchObject({ ok: false, file: '2026-11.jsonl', lineNumber })
  })

  it('58 keeps control characters and forged lines inside their field', async () => {
    const forged = '/x\n{"seq":9,"event":"signed_in"}\r\u001b[2J\u0085\u2028\u202e'
    await read(open(), forged)
    expect(linesOf()).toHaveLength(1)
    const [line = ''] = linesOf()
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(JSON.parse(line).path).toBe(forged)
  })

  it('goes on after a crash in the middle of a line, and says so', async () => {
    await read(open(), '/a')
    appendFileSync(file(), '{"seq":2,"prev":"half')
    await read(open(), '/b')
    expect(linesOf().map((line) => JSON.parse(line).event)).toEqual([
      'page_read',
      'audit_repaired',
      'page_read',
    ])
    expect(verifyAudit(folder).ok).toBe(true)
  })

  it('gives each reading a line of its own, also of a page that is read again and again', async () => {
    const counted: string[] = []
    const trail = openAuditTrail({
      folder,
      now: () => nowMs++,
      onFailure: (error) => failures.push(error),
      onRecord: (event) => counted.push(event),
    })
    for (let count = 0; count < 3; count += 1) give(trail, '/loop')
    trail.record('signed_out', { session: ALICE.id })
    give(trail, '/loop')
    await trail.flush()
    const reading = ['page_read', '/loop', 'session-a', 'r1']
    expect(linesOf().map((line) => pickReading(JSON.parse(line)))).toEqual([
      reading,
      reading,
      reading,
      ['signed_out', undefined, 'session-a', undefined],
      reading,
    ])
    expect(JSON.parse(linesOf()[1] ?? '')).toEqual({
      ...{ seq: 2, prev: expect.any(String), at: '2026-11-21T00:00:00.001Z', event: 'page_read' },
      ...{ email: ALICE.email, sub: ALICE.sub, session: ALICE.id, path: '/loop', release: 'r1' },
      ...{ request: 'request-of-/loop', hash: expect.any(String) },
    })
    expect(counted).toHaveLength(5)
    expect(verifyAudit(folder).ok).toBe(true)
  })

  it('writes what was read without being asked to', async () => {
    give(open(), '/a')
    await expect.poll(() => readFileSync(file(), 'utf8')).toContain('"path":"/a"')
  })

  it('keeps what a failing disk did not take, and serves nobody when that grows too much', async () => {
    const trail = open()
    rmSync(folder, { recursive: true })
    await read(trail, '/a')
    expect(failures.length).toBeGreaterThan(0)
    const flood = () => {
      for (let count = 0; count < 10_001; count += 1) give(trail, `/flood/${count}`)
    }
    expect(flood).toThrow(UnavailableError)
    await trail.flush()
    openAuditTrail({ folder, now: () => nowMs, onFailure: () => {} }) // makes the folder again
    await trail.flush()
    expect(verifyAudit(folder)).toMatchObject({ ok: true, lines: 10_000 })
  })
})

import { describe, expect, it } from 'vitest'
import { CHAIN_START, readLink } from './audit-chain.ts'
import { createAuditQueue } from './audit-queue.ts'

const NOVEMBER = Date.parse('2026-11-30T23:59:59.999Z')
const recordOf = (path: string) => `"path":"${path}"`
const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').trimEnd().split('\n')

describe('the audit queue', () => {
  it('gathers lines by month, chained over its batches', () => {
    const queue = createAuditQueue(CHAIN_START)
    queue.add(NOVEMBER, recordOf('/a'))
    queue.add(NOVEMBER + 1, recordOf('/b'))
    queue.add(NOVEMBER + 2, recordOf('/c'))
    expect(queue.size).toBe(3)
    const november = queue.first()
    expect([november?.month, november?.head.seq]).toEqual(['2026-11', 1])
    queue.drop()
    const december = queue.first()
    expect([december?.month, december?.head.seq]).toEqual(['2026-12', 3])
    const [b = '', c = ''] = linesOf(december?.bytes ?? new Uint8Array())
    expect(readLink(b)?.prev).toBe(november?.head.hash)
    expect(readLink(c)?.prev).toBe(readLink(b)?.hash)
    queue.drop()
    expect([queue.first(), queue.size]).toEqual([null, 0])
  })

  it('gives a batch no more lines once it is being written, and the same one again until it is dropped', () => {
    const queue = createAuditQueue(CHAIN_START)
    queue.add(NOVEMBER, recordOf('/a'))
    const bytes = Buffer.from(queue.first()?.bytes ?? [])
    queue.add(NOVEMBER, recordOf('/b'))
    expect(Buffer.from(queue.first()?.bytes ?? [])).toEqual(bytes)
    queue.drop()
    expect(linesOf(queue.first()?.bytes ?? new Uint8Array())).toHaveLength(1)
  })

  it('loses nothing when lines outgrow its memory', () => {
    const queue = createAuditQueue(CHAIN_START)
    const paths = Array.from({ length: 200 }, (_, n) => `/${n}${'関所'.repeat(500)}`)
    for (const path of paths) queue.add(NOVEMBER, recordOf(path))
    const lines = linesOf(queue.first()?.bytes ?? new Uint8Array())
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(paths)
    expect(lines.every((line) => readLink(line) !== null)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { CHAIN_START, readLink } from './audit-chain.ts'
import { createAuditQueue } from './audit-queue.ts'

const NOVEMBER = Date.parse('2026-11-30T23:59:59.999Z')
const at = (atMs: number) => new Date(atMs).toISOString()
const linkOf = (line: string | undefined) => readLink(line?.trimEnd() ?? '')

describe('the audit queue', () => {
  it('gathers lines by month, chained over its batches', () => {
    const queue = createAuditQueue(CHAIN_START)
    queue.add({ at: at(NOVEMBER), path: '/a' })
    queue.add({ at: at(NOVEMBER + 1), path: '/b' })
    queue.add({ at: at(NOVEMBER + 2), path: '/c' })
    expect(queue.size).toBe(3)
    const november = queue.first()
    expect([november?.month, november?.head.seq]).toEqual(['2026-11', 1])
    queue.drop()
    const december = queue.first()
    expect([december?.month, december?.head.seq]).toEqual(['2026-12', 3])
    const [b, c] = december?.lines ?? []
    expect(linkOf(b)?.prev).toBe(november?.head.hash)
    expect(linkOf(c)?.prev).toBe(linkOf(b)?.hash)
    queue.drop()
    expect([queue.first(), queue.size]).toEqual([null, 0])
  })

  it('gives a batch no more lines once it is being written, and the same one again until it is dropped', () => {
    const queue = createAuditQueue(CHAIN_START)
    queue.add({ at: at(NOVEMBER), path: '/a' })
    const [line] = queue.first()?.lines ?? []
    queue.add({ at: at(NOVEMBER), path: '/b' })
    expect(queue.first()?.lines).toEqual([line])
    queue.drop()
    expect(queue.first()?.lines).toHaveLength(1)
  })
})

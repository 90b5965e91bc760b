import { readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import type { DataFolder } from '@sekisho/server/data-folder'
import { type CheckResult, found } from './finding.ts'

const DAY_MS = 86_400_000
/** Below this the next day's lines, releases and previews have no room. */
const LEAST_FREE_BYTES = 1e9

/** Size of a trail, and the time of its first line; null where unknown. */
interface TrailSize {
  readonly bytes: number
  readonly sinceMs: number | null
}

/** Yearly growth of a trail at its pace so far; trails younger than a day count as a day old. */
export function yearlyBytes({ bytes, sinceMs }: TrailSize, nowMs: number): number {
  return sinceMs === null ? 0 : (365 * bytes) / Math.max(1, (nowMs - sinceMs) / DAY_MS)
}

export const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)

interface DiskOptions {
  readonly folder: DataFolder
  /** Retention of lines; null where the trail is in a database. */
  readonly auditKeepMs: number | null
  readonly nowMs: number
  /** Bytes that are free to this user around a folder. */
  readonly freeBytesOf?: (folder: string) => number
}

/** Estimates if the data folder's disk lasts until old lines of the audit trail are removed. */
export function checkDisk({
  folder,
  auditKeepMs,
  nowMs,
  freeBytesOf = readFreeBytes,
}: DiskOptions): CheckResult {
  const freeBytes = freeBytesOf(folder.root)
  const free = gigabytes(freeBytes)
  const facts = [found('saw_data', folder.root, free)]
  const trail = auditKeepMs === null ? null : measureTrail(folder.audit.lines)
  const findings: Message[] = []
  if (freeBytes < LEAST_FREE_BYTES) findings.push(found('disk_almost_full', folder.root, free))
  if (trail !== null && auditKeepMs !== null) {
    const yearly = yearlyBytes(trail, nowMs)
    facts.push(found('saw_trail', gigabytes(trail.bytes), gigabytes(yearly)))
    const stillToCome = (yearly * auditKeepMs) / (365 * DAY_MS) - trail.bytes
    if (stillToCome > freeBytes) findings.push(found('disk_small', folder.root, free, gigabytes(stillToCome)))
  }
  return { facts, findings }
}

/** Of a folder that is still to be made, the disk it will be on. */
function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(folder)
    if (parent === folder) throw error
    return readFreeBytes(parent)
  }
}

/** A file of the trail is written for a day, so the oldest began a day before it was last written, or less. */
function measureTrail(folder: string): TrailSize | null {
  try {
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => statSync(join(folder, name)))
    if (files.length === 0) return null
    return {
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      sinceMs: Math.min(...files.map(({ mtimeMs }) => mtimeMs)) - DAY_MS,
    }
  } catch {
    return null // nothing was written yet
  }
}

import { createReadStream, existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { plainJson } from '../observability/plain-json.ts'
import type { SearchLogStore, SearchRecord } from './search-log-store.ts'

const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/

/** A folder with one file a day, `{ q, hits }` or `{ q, rank, page }` a line. */
export function createFileSearchLog(folder: string): SearchLogStore {
  const listDays = async () =>
    existsSync(folder) ? (await readdir(folder)).flatMap((name) => FILE.exec(name)?.[1] ?? []).sort() : []
  return {
    async append(day, record) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await appendFile(join(folder, `${day}.jsonl`), `${plainJson(record)}\n`, { mode: 0o600 })
    },
    async removeBefore(day) {
      if (day === null) return rm(folder, { recursive: true, force: true })
      for (const old of await listDays()) {
        if (old < day) await rm(join(folder, `${old}.jsonl`), { force: true })
      }
    },
    async *read(fromDay) {
      for (const day of await listDays()) {
        if (day < fromDay) continue
        for await (const line of createInterface(createReadStream(join(folder, `${day}.jsonl`)))) {
          const record = readRecord(line)
          if (record !== null) yield record
        }
      }
    },
  }
}

/** Null for a line that is no record, as one cut short by a crash. */
function readRecord(line: string): SearchRecord | null {
  try {
    return asRecord(JSON.parse(line))
  } catch {
    return null
  }
}

function asRecord(value: unknown): SearchRecord | null {
  if (typeof value !== 'object' || value === null || !('q' in value) || typeof value.q !== 'string')
    return null
  const { q } = value
  if ('hits' in value && typeof value.hits === 'number') return { q, hits: value.hits }
  if ('rank' in value && typeof value.rank === 'number') {
    const after = 'after' in value && typeof value.after === 'string' ? { after: value.after } : {}
    return { q, rank: value.rank, page: 'page' in value ? String(value.page) : '', ...after }
  }
  return null
}

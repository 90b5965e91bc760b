import { createReadStream, existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseOrNull } from '@sekisho/contract/json-shape'
import type { DailyStore } from './daily-log.ts'
import { plainJson } from './plain-json.ts'

const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/

/** A folder with one file a day and one record a line; a line that `readRecord` does not know, as one cut short by a crash, is passed over. */
export function createDailyFiles<T extends object>(
  folder: string,
  readRecord: (value: unknown) => T | null,
): DailyStore<T> {
  const listDays = async () =>
    existsSync(folder) ? (await readdir(folder)).flatMap((name) => FILE.exec(name)?.[1] ?? []).sort() : []
  return {
    async append(day, record) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await appendFile(join(folder, `${day}.jsonl`), `${plainJson({ ...record })}\n`, { mode: 0o600 })
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
          const record = readRecord(parseOrNull(line))
          if (record !== null) yield record
        }
      }
    },
  }
}

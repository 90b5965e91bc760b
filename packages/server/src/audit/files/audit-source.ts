import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditPlaces } from '../../storage/data-folder.ts'
import { readFileHeader } from '../chain/audit-chain.ts'
import type { AuditPart, AuditSource } from '../chain/audit-store.ts'
import { readFirstLine } from './audit-file-end.ts'
import { type AuditFile, listAuditFiles, readHeads } from './audit-folder.ts'

/** A line longer than this is none of ours; reading on would keep it in memory. */
const MAX_LINE_BYTES = 1 << 20
const STEP_BYTES = 1 << 18

/** Reads a trail that lies in folders, also while a gate is writing to it. */
export function readAuditFolder({ lines, heads }: AuditPlaces): AuditSource {
  const filesOf = (chain: string) => (existsSync(lines) ? listAuditFiles(lines).get(chain) : null) ?? []
  return {
    async listChains() {
      return existsSync(lines) ? [...listAuditFiles(lines).keys()].sort() : []
    },
    readHeads: () => readHeads(heads),
    readRemovals: async () => [], // whoever writes a chain removes its lines, too
    async *read(chain, fromSeq = 0) {
      for (const file of startAt(lines, filesOf(chain), fromSeq))
        yield* readParts(join(lines, file.name), file.name)
    },
  }
}

/** Bytes of the lines of every chain; a file that goes meanwhile counts as none. */
export async function measureAuditFolder({ lines }: Pick<AuditPlaces, 'lines'>): Promise<number> {
  const names = await readdir(lines).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(lines, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Leaves out files that end before a line, by what the next one says of itself. */
function startAt(folder: string, files: readonly AuditFile[], fromSeq: number): readonly AuditFile[] {
  const beginsLater = (file: AuditFile) => {
    const header = readFileHeader(readFirstLine(join(folder, file.name)))
    return header !== null && header.after.seq >= fromSeq
  }
  const next = files.findIndex((file, at) => at > 0 && beginsLater(file))
  return fromSeq === 0 || next === -1 ? files : files.slice(next - 1)
}

/** Reads the lines of a file a step at a time. */
async function* readParts(path: string, place: string): AsyncGenerator<AuditPart> {
  let firstLineNumber = 1
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: STEP_BYTES })) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(0x0a) + 1
    rest = bytes.subarray(end)
    if (end > 0) {
      const lines = bytes.toString('utf8', 0, end - 1).split('\n')
      yield { place, firstLineNumber, lines }
      firstLineNumber += lines.length
    }
    if (rest.length > MAX_LINE_BYTES) break
  }
  if (rest.length > 0)
    yield { place, firstLineNumber, lines: [rest.toString('utf8', 0, 100)], isCutShort: true }
}

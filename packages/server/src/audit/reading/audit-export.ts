import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CHAIN_START, type ChainHead, fileHeaderLine, readLink } from '../chain/audit-chain.ts'
import { type AuditKey, signNote } from '../chain/audit-key.ts'
import type { AuditSource } from '../chain/audit-store.ts'

interface AuditExportOptions {
  readonly source: AuditSource
  readonly key: AuditKey
  /** Milliseconds since the epoch; the end is not part of it. */
  readonly fromMs: number
  readonly toMs: number
  /** A folder that is not there yet. */
  readonly out: string
  readonly now: () => number
}

interface ExportedChain {
  readonly chain: string
  readonly firstSeq: number
  readonly head: ChainHead
}

/** Files of an export that `sekisho audit verify` needs. */
export const exportPlaces = (folder: string) => ({
  audit: { lines: join(folder, 'audit'), heads: join(folder, 'audit-heads') },
  publicKey: join(folder, 'audit-public-key.pem'),
})

interface Span {
  before: ChainHead
  head: ChainHead
}

/**
 * Copies the lines of a period from each chain without a gap, with the public key and a signed note of both ends. Throws for an altered
 * line and an existing folder.
 */
export async function exportAudit(options: AuditExportOptions): Promise<readonly ExportedChain[]> {
  const { source, key, out } = options
  const places = exportPlaces(out)
  const exported: ExportedChain[] = []
  mkdirSync(out, { mode: 0o700 })
  for (const folder of [places.audit.lines, places.audit.heads]) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(places.publicKey, key.publicKey.export({ type: 'spki', format: 'pem' }))
  const at = new Date(options.now()).toISOString()
  for (const chain of await source.listChains()) {
    const span = await findSpan(options, chain)
    if (span === null) continue
    const { before, head } = span
    const file = join(places.audit.lines, `${chain}-000001.jsonl`)
    await copyLines(source, chain, span, file, fileHeaderLine({ chain, file: 1, after: before, at }))
    writeFileSync(
      join(places.audit.heads, `${chain}.json`),
      signNote({ chain, head, removed: before, at }, key),
    )
    exported.push({ chain, firstSeq: before.seq + 1, head })
  }
  return exported
}

/** From the first line of the time to its last: a clock that was set back does not tear a hole. */
async function findSpan({ source, fromMs, toMs }: AuditExportOptions, chain: string): Promise<Span | null> {
  let span: Span | null = null
  for await (const { place, firstLineNumber, lines, isCutShort } of source.read(chain)) {
    if (isCutShort === true) continue
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('{"seq":')) continue // the header of a file
      const link = readLink(line)
      if (link === null) throw new Error(`${place}, line ${firstLineNumber + index}, was altered`)
      const atMs = Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? '')
      if (!(atMs >= fromMs && atMs < toMs)) continue
      span ??= { before: link.seq === 1 ? CHAIN_START : { seq: link.seq - 1, hash: link.prev }, head: link }
      span.head = { seq: link.seq, hash: link.hash }
    }
  }
  return span
}

async function copyLines(
  source: AuditSource,
  chain: string,
  { before, head }: Span,
  file: string,
  header: string,
): Promise<void> {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, header)
    for await (const { lines, isCutShort } of source.read(chain, before.seq + 1)) {
      if (isCutShort === true) continue
      const wanted = lines.filter((line) => {
        const seq = Number(/^\{"seq":(\d{1,15}),/.exec(line)?.[1] ?? 0)
        return seq > before.seq && seq <= head.seq
      })
      if (wanted.length > 0) writeFileSync(descriptor, `${wanted.join('\n')}\n`)
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

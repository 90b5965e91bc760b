import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PageRecord, pathKey, type SidebarItem, TABLE_DIR, type TableIndex } from '../wire.ts'

/** Records per block: a block stays under about 5 KB compressed, and a category's pages mostly share one. */
const BLOCK_SIZE = 48

/** Writes the route table as blocks in order of address, and the index that finds a block. Returns the index's name. */
export function writeTable(outDir: string, records: readonly PageRecord[]): string {
  const dir = join(outDir, TABLE_DIR)
  mkdirSync(dir, { recursive: true })
  const keyed = records.map((record) => ({ key: pathKey(record.path), record }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const index: TableIndex = []
  for (let start = 0; start < keyed.length; start += BLOCK_SIZE) {
    const block = keyed.slice(start, start + BLOCK_SIZE)
    index.push([
      block[0]?.key ?? '',
      writeHashed(
        dir,
        'block',
        block.map(({ record }) => record),
      ),
    ])
  }
  return writeHashed(dir, 'index', index)
}

/** Writes each sidebar node under its own name, which is a hash of its content already. */
export function writeNodes(outDir: string, nodes: ReadonlyMap<string, SidebarItem[]>): void {
  const dir = join(outDir, TABLE_DIR)
  mkdirSync(dir, { recursive: true })
  for (const [ref, items] of nodes) writeFileSync(join(dir, nodeFile(ref)), JSON.stringify(items))
}

/** File of a sidebar node. */
export function nodeFile(ref: string): string {
  return `node.${ref}.json`
}

function writeHashed(dir: string, name: string, value: unknown): string {
  const text = JSON.stringify(value)
  const file = `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`
  writeFileSync(join(dir, file), text)
  return file
}

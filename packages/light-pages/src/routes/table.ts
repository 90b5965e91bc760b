import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import {
  FIRST_PAGE_ID,
  type FirstPage,
  type Json,
  nodeFile,
  type PageRecord,
  pathKey,
  type SidebarItem,
  serializeFirstPage,
  TABLE_DIR,
  type TableIndex,
} from './model.ts'

/** Records per block: a block stays under about 5 KB compressed, and a category's pages mostly share one. */
const BLOCK_SIZE = 48

/**
 * Writes the route table as blocks in order of address, with an index. Returns the index's name, carried by every page: derived from the
 * main script's, since a content hash would change each page on each edit. See `indexFile` for its freshness.
 */
export function writeTable(outDir: string, records: readonly PageRecord[], name: string): string {
  const write = createWriter(outDir)
  const keyed = records.map((record) => ({ key: pathKey(record.path), record }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const index: TableIndex = []
  for (let start = 0; start < keyed.length; start += BLOCK_SIZE) {
    const block = keyed.slice(start, start + BLOCK_SIZE)
    const text = JSON.stringify(block.map(({ record }) => record))
    index.push([block[0]?.key ?? '', write(`block.${hash('sha256', text).slice(0, 12)}.json`, text)])
  }
  return write(name, JSON.stringify(index))
}

const FIRST_PAGE = new RegExp(`(<script[^>]*\\bid="?${FIRST_PAGE_ID}\\b[^>]*>)(.*?)(?=</script>)`, 's')

/** Adds to the data of a built page's route context, which `useRouteContext` returns. Null for a page outside the table. */
export function addToFirstPage(html: string, data: { [key: string]: Json }): string | null {
  const [whole = '', tag = '', text = ''] = FIRST_PAGE.exec(html) ?? []
  if (text === '') return null
  const first: FirstPage = JSON.parse(text)
  if (first.page !== null) addData(first.page, data)
  return html.replace(whole, () => tag + serializeFirstPage(first))
}

/** Adds the same to the route table; `dataOf` finds it by the path of the page. */
export function addToTable(
  outDir: string,
  dataOf: (path: string) => { [key: string]: Json } | undefined,
): void {
  const dir = join(outDir, TABLE_DIR)
  const name = readdirSync(dir).find((file) => /^index\..*\.latest\.json$/.test(file)) ?? ''
  const read = (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8'))
  const blocks: TableIndex = read(name)
  const records = blocks.flatMap(([, file]): PageRecord[] => read(file))
  for (const record of records) addData(record, dataOf(record.path) ?? {})
  for (const [, file] of blocks) rmSync(join(dir, file))
  writeTable(outDir, records, name)
}

function addData(record: PageRecord, added: { [key: string]: Json }): void {
  const context = Object(record.context)
  if (Object.keys(added).length > 0) record.context = { ...context, data: { ...context.data, ...added } }
}

/** Writes each sidebar slice under its own name. */
export function writeNodes(outDir: string, nodes: ReadonlyMap<string, SidebarItem[]>): void {
  const write = createWriter(outDir)
  for (const [ref, items] of nodes) write(nodeFile(ref), JSON.stringify(items))
}

function createWriter(outDir: string): (file: string, text: string) => string {
  const dir = join(outDir, TABLE_DIR)
  mkdirSync(dir, { recursive: true })
  return (file, text) => {
    writeFileSync(join(dir, file), text)
    return file
  }
}

/** The hash does not stand last, where it would promise the same bytes for ever: the gate sends it with `no-store`. */
export function indexFile(mainScript: string): string {
  const [, build] = /\.([0-9a-f]+)\.js$/.exec(mainScript) ?? []
  if (build === undefined) throw new DocusaurusChangedError(`the main script ${mainScript} has no hash`)
  return `index.${build}.latest.json`
}

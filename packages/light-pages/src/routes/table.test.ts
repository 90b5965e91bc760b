import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBlock } from './app/loading/route-table.ts'
import { type PageRecord, pathKey, TABLE_DIR, type TableIndex } from './model.ts'
import { addToFirstPage, addToTable, indexFile as nameFor, writeTable } from './table.ts'

function record(path: string): PageRecord {
  return { path, layouts: [], attributes: { exact: true }, modules: {}, chunks: {} }
}

const paths = Array.from({ length: 500 }, (_, serial) => `/docs/part-${serial % 7}/文書-${serial}`)
const outDir = mkdtempSync(join(tmpdir(), 'sekisho-table-'))
const indexFile = writeTable(outDir, paths.map(record), nameFor('assets/js/main.0a1b2c3d.js'))
const read = (file: string) => JSON.parse(readFileSync(join(outDir, TABLE_DIR, file), 'utf8'))
const index = read(indexFile) as TableIndex

describe('the route table', () => {
  it.each(['/docs/part-0/文書-0', '/docs/part-0/文書-455', '/docs/part-6/文書-69'])(
    'has %s in the block that is found for it',
    (path) => {
      const block = findBlock(index, pathKey(path))
      expect((read(block ?? '') as PageRecord[]).map((page) => page.path)).toContain(path)
    },
  )

  it('finds every page, however its URL is written', () => {
    for (const path of paths) {
      const block =
        findBlock(index, pathKey(`${encodeURI(path).toUpperCase().replaceAll('%E', '%e')}/`)) ?? ''
      expect((read(block) as PageRecord[]).some((page) => page.path === path)).toBe(true)
    }
  })

  it('has no block before its first address', () => {
    expect(findBlock(index, '/')).toBeNull()
  })

  it('has an index that keeps its name while the main script does, and is therefore not named by a hash', () => {
    expect(nameFor('assets/js/main.0a1b2c3d.js')).toBe(indexFile)
    expect(nameFor('assets/js/main.ffffffff.js')).not.toBe(indexFile)
    expect(indexFile).not.toMatch(/[./-][0-9a-f]{8,64}\.[a-z0-9]+$/)
  })

  it('takes data of pages afterwards, in blocks of other names, as the page itself does', () => {
    const other = mkdtempSync(join(tmpdir(), 'sekisho-table-'))
    const [path = ''] = paths
    writeTable(other, paths.map(record), indexFile)
    addToTable(other, (route) => (route === path ? { related: ['</script>'] } : undefined))
    const blocks: TableIndex = JSON.parse(readFileSync(join(other, TABLE_DIR, indexFile), 'utf8'))
    const records: PageRecord[] = blocks.flatMap(([, file]) =>
      JSON.parse(readFileSync(join(other, TABLE_DIR, file), 'utf8')),
    )
    const added = records.filter(({ context }) => context !== undefined)
    const context = { data: { related: ['</script>'] } }
    expect(added).toEqual([{ ...record(path), context }])
    expect(readdirSync(join(other, TABLE_DIR))).toHaveLength(blocks.length + 1)
    const page = {
      index: indexFile,
      page: { ...record(path), context: { plugin: 1, data: { a: 1 } } },
      nodes: {},
    }
    const html = `<p>$&</p><script id="__sekisho_page" type="application/json">${JSON.stringify(page)}</script>`
    expect(addToFirstPage(html, { b: '</script>' })).toBe(
      html.replace('"a":1', '"a":1,"b":"\\u003c/script>"'),
    )
    expect(addToFirstPage('<p></p>', {})).toBeNull()
  })

  it('keeps blocks small', () => {
    expect(readdirSync(join(outDir, TABLE_DIR)).length).toBe(Math.ceil(paths.length / 48) + 1)
  })
})

describe('an address', () => {
  it.each([
    ['/docs/', '/docs'],
    ['/', '/'],
    ['/Docs/A', '/docs/a'],
    ['/docs/%E6%97%A5', '/docs/日'],
    ['/docs/%', '/docs/%'],
  ])('%s is looked up as %s', (path, key) => {
    expect(pathKey(path)).toBe(key)
  })
})

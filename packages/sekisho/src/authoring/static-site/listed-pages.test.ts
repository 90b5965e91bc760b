import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createListReader, mayListPages, unpackText } from './listed-pages.ts'

const PAGES = ['index.html', 'guide.html', 'roster.html', 'staff/手順.html', 'staff/price/index.html']
const find = createListReader(PAGES)

it.each([
  ['{"location":"staff/price/","title":"x"}', ['staff/price/index.html']],
  ['setIndex({docnames:["staff/price/index"]})', ['staff/price/index.html']],
  ['"https:\\/\\/d.example\\/docs\\/staff\\/price\\/#a"', ['staff/price/index.html']],
  ['<link>https://d.example/staff/%E6%89%8B%E9%A0%86.html</link>', ['staff/手順.html']],
  ['- [x](./staff/手順.HTML?v=1)', ['staff/手順.html']],
  ['docnames:["index","guide","roster"]', ['index.html', 'guide.html', 'roster.html']],
  ['{"link":"/roster"}', ['roster.html']],
  ['<loc>https://d.example/docs/roster</loc>', ['roster.html']],
  ['JSON.parse("{\\"staff_price_index.md\\":\\"a1\\"}")', ['staff/price/index.html']],
  ['- [x](https://d.example/roster.md) "\\u002Fguide\\u002f"', ['roster.html', 'guide.html']],
  ['"href":"roster/"', ['roster.html']],
  ['const roster = "guide"; staff.price()', []],
  ['x'.repeat(3_000), []],
])('finds the pages that %s lists', (text, pages) => {
  expect(find(text)).toEqual(pages)
})

const LIST = `${'x '.repeat(40)}https://d.example/staff/price/`
const INVENTORY = '# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# The rest is zlib\n'

/** The smallest archive of one packed file. */
function archive(name: string): Buffer {
  const packed = deflateRawSync(LIST)
  const local = Buffer.alloc(30)
  local.write('PK\u0003\u0004', 'latin1')
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.write('PK\u0001\u0002', 'latin1')
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt16LE(name.length, 28)
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name)])
}

it.each([
  ['sitemap.xml.gz', gzipSync(LIST)],
  ['objects.inv', Buffer.concat([Buffer.from(INVENTORY), deflateSync(LIST)])],
  ['searchindex.json.br', brotliCompressSync(LIST)],
  ['search.zst', zstdCompressSync(LIST)],
  ['member-search-index.zip', archive('a.js')],
  ['manual.epub', archive('OEBPS/staff/price/index.xhtml')],
  ['manual.tar', Buffer.from('./staff/price/\0\x000000644')],
  [
    'manual.pdf',
    Buffer.concat([Buffer.from('%PDF-1.7\n4 0 obj <</Type /ObjStm /N 1>> stream\r\n'), deflateSync(LIST)]),
  ],
  ['pages.ics', Buffer.from(`\uFEFF${LIST}`, 'utf16le')],
  ['a.css', Buffer.from(`/*# sourceMappingURL=data:application/json;base64,${btoa(LIST)} */`)],
  [
    'assets/search.js',
    Buffer.from(
      `window.searchData = "${deflateSync(LIST, { level: 0 }).toString('base64')}"; x = "eJ${'A'.repeat(90)}"`,
    ),
  ],
  [
    'assets/navigation.js',
    Buffer.from(
      `x="data:application/octet-stream;base64,${gzipSync(LIST, { level: 1 }).toString('base64')}"`,
    ),
  ],
])('finds the pages that %s lists, though it is packed', (name, bytes) => {
  expect(mayListPages(name)).toBe(true)
  expect(find(unpackText(name, bytes) ?? '')).toEqual(['staff/price/index.html'])
})

/** An archive whose directory names the same unpacked megabyte many times. */
function repeatedEntries(times: number): Buffer {
  const content = Buffer.alloc(1e6, ' ')
  const local = Buffer.alloc(30)
  local.write('PK\u0003\u0004', 'latin1')
  const central = Buffer.alloc(46)
  central.write('PK\u0001\u0002', 'latin1')
  central.writeUInt32LE(content.length, 20)
  central.writeUInt16LE(4, 28)
  const entry = Buffer.concat([central, Buffer.from('a.js')])
  return Buffer.concat([local, content, ...Array.from({ length: times }, () => entry)])
}

it.each([
  ['xz', 'fd377a585a00'],
  ['bz2', '425a6839'],
  ['7z', '377abcaf271c'],
  ['rar', '526172211a07'],
  ['chm', '49545346'],
  ['qch', Buffer.from('SQLite format 3\0').toString('hex')],
])('counts a file as unread whose format no library here reads: %s', (ending, first) => {
  expect(unpackText(`manual.${ending}`, Buffer.from(first, 'hex'))).toBeNull()
})

it('counts too long a text as unread, and leaves what is damaged as it is', () => {
  expect(unpackText('sitemap.xml.gz', gzipSync(Buffer.alloc(129e6), { level: 1 }))).toBeNull()
  expect(unpackText('a.zip', repeatedEntries(300))).toBeNull()
  const packed = `"${gzipSync(Buffer.alloc(65e6), { level: 1 }).toString('base64')}"`
  expect(unpackText('a.js', Buffer.from(packed + packed))).toBeNull()
  expect(unpackText('a.gz', Buffer.from([0x1f, 0x8b, 0x41]))).toContain('A')
})

import type { Encoding, ReleaseFile } from '@sekisho/release'
import { expect, it } from 'vitest'
import { chooseRepresentation, prefersMarkdown } from './negotiate.ts'

const stored = (bytes: number) => ({ sha256: 'a'.repeat(64), bytes })

const FILE: ReleaseFile = {
  ...stored(1000),
  type: 'text/plain',
  delivery: 'resource',
  cache: 'no-store',
  encodings: { br: stored(200), zstd: stored(220), gzip: stored(300) },
}

it.each<[header: string | null, chosen: Encoding | null]>([
  [null, null],
  ['', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate, zstd', 'zstd'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['*', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['br;q=0,zstd;q=0,gzip;q=0', null],
  ['*;q=0', null],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=1, *;q=0', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['deflate', null],
  ['br ; q=1.0 ,gzip; q=0.001', 'br'],
  ['br;q=1.5, gzip', 'gzip'],
  ['br;q=, gzip', 'gzip'],
  ['br;q=2, *;q=0.1', 'br'],
  ['br;level=1', null],
  [`${'a,'.repeat(5000)}br`, null],
])('Accept-Encoding %s gets %s', (header, chosen) => {
  expect(chooseRepresentation(FILE, header).encoding).toBe(chosen)
})

it('sends plain bytes when nothing is stored, whatever is requested', () => {
  const picture = { ...FILE, encodings: {} }
  for (const header of ['br', 'identity;q=0', '*;q=0', null]) {
    expect(chooseRepresentation(picture, header)).toEqual({ encoding: null, stored: picture })
  }
})

it.each([
  [null, false],
  ['*/*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['text/*', false],
  ['text/markdown', true],
  ['text/markdown, text/html, */*', true],
  ['Text/Markdown;variant=GFM;q=0.9, text/html;q=0.9', true],
  ['text/markdown;q=0.8, text/html;q=0.9', false],
  ['text/markdown;q=0.8, */*', false],
  ['text/markdown;q=0.8, */*;q=0.1', true],
  ['text/markdown;q=0', false],
  ['text/markdown;q=2', false],
  ['text/markdownish, */*', false],
])('Accept: %s prefers Markdown: %s', (accept, expected) => {
  expect(prefersMarkdown(accept)).toBe(expected)
})

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repairEnd } from './audit-file-end.ts'

const folder = mkdtempSync(join(tmpdir(), 'sekisho-end-'))

const LONG = 'x'.repeat(200_000)
const ROWS: readonly (readonly [row: string, text: string, lastLine: string, kept: string])[] = [
  ['an empty file', '', '', ''],
  ['one line', 'a\n', 'a', 'a\n'],
  ['two lines', 'a\nb\n', 'b', 'a\nb\n'],
  ['a line cut short', 'a\nb', 'a', 'a\n'],
  ['nothing but a line cut short', 'ab', '', ''],
  ['a line longer than a step', `a\n${LONG}\n`, LONG, `a\n${LONG}\n`],
  ['a long line cut short', `a\n${LONG}`, 'a', 'a\n'],
  ['a line that ends where a step does', `${'y'.repeat(65_535)}\nb\n`, 'b', `${'y'.repeat(65_535)}\nb\n`],
  [
    'Japanese across a step',
    `a\n${'関'.repeat(40_000)}\n`,
    '関'.repeat(40_000),
    `a\n${'関'.repeat(40_000)}\n`,
  ],
]

describe('repairEnd', () => {
  it.each(ROWS)('%s', (_row, text, lastLine, kept) => {
    const file = join(folder, 'month.jsonl')
    writeFileSync(file, text)
    const cutBytes = Buffer.byteLength(text) - Buffer.byteLength(kept)
    expect(repairEnd(file)).toEqual({ lastLine, cutBytes })
    expect(readFileSync(file, 'utf8')).toBe(kept)
  })
})

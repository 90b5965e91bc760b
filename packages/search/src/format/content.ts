import { gunzipSync } from 'node:zlib'
import { MAX_CHARACTERS } from './schema.ts'

/** A section's record in the index. */
export interface SectionRecord {
  readonly heading: string
  readonly level: number
  readonly anchor: string
  readonly text: string
}

type Outline = readonly (readonly [heading: string, level: number, anchor: string, length: number])[]

/**
 * The sections of rows of `content`. The texts of several pages are members of one gzip stream: what holds the state of a
 * decompression lives until the next full collection of garbage, and one for each page brought those about.
 */
export function readSections(rows: readonly Record<string, unknown>[]): SectionRecord[][] {
  const members = rows.map(({ text }) => text).filter((text) => text instanceof Uint8Array)
  if (members.length === 0) return []
  const all = gunzipSync(Buffer.concat(members)).toString()
  let start = 0
  return rows.map((row) => {
    const outline: Outline = JSON.parse(String(row.outline))
    const length = outline.reduce((sum, [, , , length]) => sum + length, 0)
    const text = all.slice(start, start + Math.min(length, MAX_CHARACTERS))
    start += text.length
    return cutSections(text, outline)
  })
}

/** The sections as far as text is kept. */
function cutSections(text: string, outline: Outline): SectionRecord[] {
  const sections: SectionRecord[] = []
  let start = 0
  for (const [heading, level, anchor, length] of outline) {
    if (start >= text.length && length > 0) break
    sections.push({ heading, level, anchor, text: text.slice(start, start + length) })
    start += length
  }
  return sections
}

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

/** A UTF-16 unit takes three bytes of UTF-8 at most. */
export const MAX_TEXT_BYTES = 3 * MAX_CHARACTERS

/** Offset from the end at which a gzip member stores its length (RFC 1952, ISIZE). */
const SIZE_BYTES = 4

/**
 * Reads the sections of `content` rows, decompressing several pages as one gzip stream. A decompression per page kept its state until full
 * collections of garbage and so caused them; one string for all was too large for the young generation.
 */
export function readSections(rows: readonly Record<string, unknown>[]): SectionRecord[][] {
  const members = rows.map(({ text }) => (text instanceof Uint8Array ? text : null))
  const texts = members.filter((text) => text !== null)
  if (texts.length === 0) return []
  const all = gunzipSync(Buffer.concat(texts), { maxOutputLength: texts.length * MAX_TEXT_BYTES })
  let start = 0
  return rows.map((row, at) => {
    const outline: Outline = JSON.parse(String(row.outline))
    const end = start + sizeOf(members[at] ?? null)
    const text = all.toString('utf8', start, end).slice(0, MAX_CHARACTERS)
    start = end
    return cutSections(text, outline)
  })
}

function sizeOf(member: Uint8Array | null): number {
  if (member === null) return 0
  return new DataView(member.buffer, member.byteOffset + member.byteLength - SIZE_BYTES).getUint32(0, true)
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

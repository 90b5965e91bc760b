import { diffArrays, diffWords } from 'diff'

/** Words of one line that are the same, new or gone. */
interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** One line of a comparison; a gap stands for lines that are the same. */
export type DiffLine =
  | { readonly kind: 'text' | 'code'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'gap' }

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 1
const MAX_LINES = 400
/** Bounds of the comparison, which is quadratic in the number of changes. */
const MAX_LINE_EDITS = 2_000
const MAX_WORD_EDITS = 400
const MAX_LINE_CHARS = 4_000

/** Text of a page as it is read, without the marks of Markdown and addresses of links and pictures. */
export const readableText = (markdown: string): string =>
  linesOf(markdown)
    .map(({ text }) => text)
    .join('\n')

/** A line and whether it is code. */
interface Line {
  readonly text: string
  readonly isCode: boolean
}

function linesOf(markdown: string): readonly Line[] {
  let isCode = false
  return markdown
    .replace(/\]\([^()\n]{0,2000}\)/g, ']')
    .split('\n')
    .flatMap((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line)
      if (isFence) isCode = !isCode
      const text = isCode ? line : proseOf(line)
      return isFence || text.trim() === '' ? [] : [{ text, isCode }]
    })
}

/** A line of prose as text: headings, quotations, emphasis, links and cells without their marks, points of lists as `・`. */
function proseOf(line: string): string {
  if (/^[\s|:-]+$/.test(line)) return '' // between the head of a table and its rows
  let open = ''
  return line
    .replace(/^(?:\s*>)+ ?|^\s*#{1,6} |^\s*\| | \|\s*$/g, '')
    .replace(/^(\s*)[-*+] /, '$1・')
    .split(/((?<!\\)`+)/)
    .map((part, at) => {
      if (at % 2 === 0) return open === '' ? withoutMarks(part) : part
      if (open !== '' && part !== open) return part
      open = open === '' ? part : ''
      return ''
    })
    .join('')
}

/** A mark after a backslash is a character of the text. */
const MARKS = /\\([!-/:-@[-`{-~])|\*+|~~|!?\[|\]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu

const withoutMarks = (text: string): string => text.replace(MARKS, '$1')

/**
 * Compares two texts in Markdown: prose by word, by the rules of its language, and code by line. Null where they differ too much to be
 * read beside each other.
 */
export function diffPages(before: string, after: string, lang: string): readonly DiffLine[] | null {
  const isSame = (one: Line, other: Line) => one.text === other.text && one.isCode === other.isCode
  const changes = diffArrays([...linesOf(before)], [...linesOf(after)], {
    comparator: isSame,
    maxEditLength: MAX_LINE_EDITS,
  })
  if (changes === undefined) return null
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' })
  const lines = changes.flatMap(({ added, removed, value }, at) => {
    if (removed && changes[at + 1]?.added) return [] // written with what took its place
    const previous = changes[at - 1]
    const replaced = previous?.removed ? previous.value : []
    return added
      ? pairs(replaced, value, segmenter).map((line) => ({ ...line, isSame: false }))
      : value.map((line) => ({ ...whole(line, removed ? 'removed' : 'same'), isSame: !removed }))
  })
  return withGaps(lines)
}

/** Lines that took the place of others, each beside its own. */
function pairs(
  before: readonly Line[],
  after: readonly Line[],
  segmenter: Intl.Segmenter,
): readonly DiffLine[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    const [one, other] = [before[at], after[at]]
    if (one === undefined || other === undefined || one.isCode || other.isCode)
      return [
        ...(one === undefined ? [] : [whole(one, 'removed')]),
        ...(other === undefined ? [] : [whole(other, 'added')]),
      ]
    return [{ kind: 'text' as const, parts: words(one.text, other.text, segmenter) }]
  }).flat()
}

function words(before: string, after: string, intlSegmenter: Intl.Segmenter): readonly DiffPart[] {
  const isLong = before.length > MAX_LINE_CHARS || after.length > MAX_LINE_CHARS
  const changes = isLong
    ? undefined
    : diffWords(before, after, { intlSegmenter, maxEditLength: MAX_WORD_EDITS })
  if (changes === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}

const whole = ({ text, isCode }: Line, kind: DiffPart['kind']): DiffLine => ({
  kind: isCode ? 'code' : 'text',
  parts: [{ kind, text: text.slice(0, MAX_LINE_CHARS) }],
})

/** Leaves out what is far from any change. */
function withGaps(lines: readonly (DiffLine & { readonly isSame: boolean })[]): readonly DiffLine[] {
  const near = new Set<number>()
  for (const [at, { isSame }] of lines.entries())
    if (!isSame) for (let by = -CONTEXT_LINES; by <= CONTEXT_LINES; by += 1) near.add(at + by)
  const shown: DiffLine[] = []
  for (const [at, { isSame: _, ...line }] of lines.entries()) {
    if (shown.length >= MAX_LINES) break
    if (near.has(at)) shown.push(line)
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap' })
  }
  return shown
}

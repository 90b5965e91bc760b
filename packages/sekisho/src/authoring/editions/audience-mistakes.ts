import type { Message } from '@sekisho/contract/language'
import { problemOf } from './read-editions.ts'

/** The key of front matter, and the name of a `<meta>` element, by which a page says its audience. */
export const AUDIENCE_KEY = 'audience'
const MAX_DISTANCE = 2
/** Keys by which writers may mean the audience in Japanese. */
const JAPANESE =
  /^(?:オーディエンス|(?:対象|想定)?読者|対象者?|閲覧(?:者|範囲|権限|制限)|公開(?:範囲|先|対象)|アクセス権限?)$/u
/** Letters of other scripts that look like those of the key. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [...'аɑαеεсϲіιıԁпοоνυ'].map((letter, index) => [letter, [...'aaaeecciiidnoovu'][index] ?? letter]),
)
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u00a0\u3000]/gu
/** A line by which a block begins, in any of the forms that writers take for one. */
const FENCE = /^[\s\p{Cf}]*(?:[-‐-―−ー－]{2,}|\+{3,}|={3,}|;{3,})[\s\p{Cf}]*[a-z]*[\s\p{Cf}]*$/iu
const ENTRY =
  /^[\s\p{Cf}>{,?-]*(?:(?:export\s+)?(?:const|let|var)\s+)?["'“”「`]?([^:=：＝"'“”」`#<>()[\]]{1,40}?)["'“”」`]?\s*[:=：＝]\s*(.*)$/u
/** Blank lines and comments, of HTML and of MDX, with what is invisible. */
const NOTHING = /^(?:[\s\p{Cf}]|<!--(?:[^-]|-(?!->))*-->|\{\/\*(?:[^*]|\*(?!\/))*\*\/\})*/u
/** Lines of a page in which an audience is looked for outside of its front matter. */
const HEAD_LINES = 60

/** Tells if a key is the audience's, or resembles it enough to be a misspelling. */
export function isLikeAudience(key: string): boolean {
  const folded = key.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
  const plain = [...folded].map((letter) => LOOKALIKES.get(letter) ?? letter).join('')
  const word = plain.replace(/[^\p{L}\p{N}]/gu, '')
  return word.includes(AUDIENCE_KEY) || JAPANESE.test(word) || distance(word, AUDIENCE_KEY) <= MAX_DISTANCE
}

/** Levenshtein's, of two words; for a word that is much longer or shorter no more than the difference in length. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return Math.abs(one.length - other.length)
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let index = 0; index < other.length; index += 1) {
      const changed = (row[index] ?? 0) + (other[index] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** A page in Markdown as its generator read it. */
export interface ReadPage {
  readonly name: string
  readonly text: string
  /** Null where it could not be read. */
  readonly frontMatter: unknown
  readonly audiences: ReadonlySet<string>
}

/** Misspellings that would hide a page's audience and so publish it to all readers, each with file and line. */
export function findAudienceMistakes(page: ReadPage): readonly Message[] {
  const text = page.text.replace(/^\uFEFF/, '')
  const lines = text.split(/\r\n?|\n/)
  const at = (index: number) => `${page.name}:${index + 1}`
  const begins = /^---(?!-)/.test(text)
  if (!begins) return [...findMisplaced(text, lines, at), ...findInText(page, lines, 0, at)].slice(0, 1)
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('---'))
  if (end === -1) return [problemOf('front_matter_unclosed', at(0))]
  const block = withoutAcknowledgement(lines.slice(1, end), page.frontMatter)
  if (block.every((line) => /^\s*(?:#.*)?$/.test(line))) return findInText(page, lines, end + 1, at)
  const { frontMatter } = page
  if (typeof frontMatter !== 'object' || frontMatter === null || Array.isArray(frontMatter))
    return [problemOf('front_matter_unread', at(0))]
  const lineOf = (key: string) =>
    Math.max(
      0,
      lines.findIndex((line, index) => index > 0 && line.includes(key)),
    )
  const { acknowledge, ...others } = { acknowledge: null, ...frontMatter }
  const slips = [...keysIn(isAcknowledgement(acknowledge) ? others : frontMatter)].filter(
    ({ key, isTop }) => isLikeAudience(key) && !(isTop && key === AUDIENCE_KEY),
  )
  if (slips.length > 0) return slips.map(({ key }) => problemOf('like_audience', at(lineOf(key)), key))
  const said = block.flatMap((line, index) =>
    isLikeAudience(ENTRY.exec(line)?.[1] ?? '') ? [index + 1] : [],
  )
  const [first, second] = said
  if (second !== undefined) return [problemOf('audience_twice', at(second))]
  if (Object.hasOwn(frontMatter, AUDIENCE_KEY)) return []
  if (first !== undefined) return [problemOf('like_audience', at(first), lines[first]?.trim() ?? '')]
  return findInText(page, lines, end + 1, at)
}

/** An acknowledgement names whom it asks, under the same key; it has a due day, which an audience has not. */
const isAcknowledgement = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && AUDIENCE_KEY in value && 'due' in value

/** The lines of front matter with those of an acknowledgement blank, so that numbers of lines stay. */
function withoutAcknowledgement(block: readonly string[], frontMatter: unknown): readonly string[] {
  if (!isAcknowledgement(Object(frontMatter).acknowledge)) return block
  const begin = block.findIndex((line) => /^acknowledge\s*:/.test(line))
  const length = block.slice(begin + 1).findIndex((line) => /^[^\s#]/.test(line))
  const end = length === -1 ? block.length : begin + 1 + length
  return begin === -1 ? block : block.map((line, index) => (index >= begin && index < end ? '' : line))
}

/** A block of front matter that is not where, or not what, a generator looks for. */
function findMisplaced(
  text: string,
  lines: readonly string[],
  at: (index: number) => string,
): readonly Message[] {
  const before = NOTHING.exec(text)?.[0] ?? ''
  const index = before.split(/\r\n?|\n/).length - 1
  const isFence = FENCE.test(lines[index] ?? '')
  const next = lines.slice(index + 1).find((line) => line.trim() !== '') ?? ''
  return isFence && ENTRY.test(next) ? [problemOf('front_matter_not_first', at(index))] : []
}

/** Finds an audience in the text of a page, where it has no effect. */
function findInText(
  { audiences }: ReadPage,
  lines: readonly string[],
  from: number,
  at: (index: number) => string,
): readonly Message[] {
  let isCode = false
  for (const [index, line] of lines.slice(0, from + HEAD_LINES).entries()) {
    if (index < from) continue
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    const [, key = '', value = ''] = isCode ? [] : (ENTRY.exec(line.slice(0, 200)) ?? [])
    if (isLikeAudience(key) && audiences.has(wordOf(value)))
      return [problemOf('like_audience', at(index), line.trim())]
  }
  return []
}

const wordOf = (value: string): string =>
  value
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/^[\s"'“”「」`[{]+|[\s"'“”「」`\]},;]+$/g, '')
    .toLowerCase()

function* keysIn(value: unknown, isTop = true): Generator<{ readonly key: string; readonly isTop: boolean }> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { key, isTop }
    yield* keysIn(inner, false)
  }
}

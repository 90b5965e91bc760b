import { editDistance } from '@sekisho/contract/edit-distance'
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
  [...'аɑαеεсϲіιıԁпοоνυᴀᴜᴅɪᴇɴᴄ'].map((letter, index) => [
    letter,
    [...'aaaeecciiidnoovuaudienc'][index] ?? letter,
  ]),
)
/** Keys by which writers may mean the audience where an audience is their value. */
const OTHER_WORDS =
  /^(?:editions?|access|visib(?:le|ility)|readers?|viewers?|groups?|roles?|scope|permissions?|restrict(?:ed)?(?:to)?|allow(?:ed)?|share(?:d)?(?:with)?|limit(?:ed)?(?:to)?|only|for|whom?|members?|private|confidential|internal|部[署門]|組織|権限|機密|社外秘|版|(?:公開|閲覧|対象|限定|共有)[\p{Script=Han}\p{Script=Katakana}ー]{0,4})$/u
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u00a0\u3000]/gu
/** Letters in black circles and squares. */
const WHITE_ON_BLACK = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu
/** A line by which a block begins, in any of the forms that writers take for one. */
const FENCE = /^[\s\p{Cf}]*(?:[-‐-―−ー－]{2,}|\+{3,}|={3,}|;{3,})[\s\p{Cf}]*[a-z]*[\s\p{Cf}]*$/iu
const ENTRY =
  /^[\s\p{Cf}>{,?-]*(?:(?:export\s+)?(?:const|let|var)\s+)?["'“”「`]?([^:=：＝"'“”」`#<>()[\]]{1,40}?)["'“”」`]?\s*[:=：＝]\s*(.*)$/u
/** Blank lines and comments, of HTML and of MDX, with what is invisible. */
const NOTHING = /^(?:[\s\p{Cf}]|<!--(?:[^-]|-(?!->))*-->|\{\/\*(?:[^*]|\*(?!\/))*\*\/\})*/u
/** Lines of a page in which an audience is looked for outside of its front matter; in what looks like a block of it, in all lines. */
const HEAD_LINES = 60
/** The beginning of an element, comment, directive or statement: no prose. */
const MARKUP = /^\s*(?:<|\{|\[\/\/\]|:::|@|%|\/[/*]|export\b)/

/** Tells if a key is the audience's, or resembles it enough to be a misspelling. */
export function isLikeAudience(key: string): boolean {
  const word = lettersOf(key)
  const latin = word.normalize('NFD').replace(/\p{M}/gu, '')
  const isJapanese = JAPANESE.test(word)
  return (
    isJapanese ||
    latin.includes(AUDIENCE_KEY) ||
    editDistance(latin, AUDIENCE_KEY, MAX_DISTANCE) <= MAX_DISTANCE
  )
}

/** The letters and digits of a key, in small letters of the Latin script where they look like those. */
function lettersOf(key: string): string {
  const folded = key
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(WHITE_ON_BLACK, (letter) =>
      String.fromCharCode(97 + (((letter.codePointAt(0) ?? 0) - 0x1f150) % 32)),
    )
  const plain = [...folded.toLowerCase()].map((letter) => LOOKALIKES.get(letter) ?? letter).join('')
  return plain.replace(/[^\p{L}\p{N}]/gu, '')
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
  if (text.includes('\0')) return [problemOf('front_matter_unread', `${page.name}:1`)] // UTF-16
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
    ({ key, value, isTop }) =>
      (isLikeAudience(key) && !(isTop && key === AUDIENCE_KEY)) ||
      (OTHER_WORDS.test(lettersOf(key)) && areAudiences(value, page.audiences)),
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

/** The metadata of a folder restricts none of its pages, whatever it says of an audience. */
export function findCategoryAudience({
  name,
  text,
  frontMatter,
}: Omit<ReadPage, 'audiences'>): readonly Message[] {
  const [slip] = [...keysIn(frontMatter)].filter(({ key }) => isLikeAudience(key))
  if (slip === undefined) return []
  const line = text.split(/\r\n?|\n/).findIndex((one) => one.includes(slip.key))
  return [problemOf('like_audience', `${name}:${Math.max(0, line) + 1}`, slip.key)]
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
  let isBlock = false
  const first = lines.findIndex((line) => line.trim() !== '')
  for (const [index, whole] of lines.entries()) {
    if (index < from) continue
    const line = whole.slice(0, 200)
    const isFenceOfCode = /^\s*(?:```|~~~)/.test(line)
    if (isFenceOfCode && index > first) isCode = !isCode // a page that begins as code is front matter in the wrong wrapping
    const [, key = '', value = ''] = isCode ? [] : (ENTRY.exec(line) ?? [])
    isBlock = FENCE.test(line) || (isBlock && (key !== '' || line.trim() === ''))
    if (index >= from + HEAD_LINES && !isBlock) continue
    const isEntry = isLikeAudience(key) && audiences.has(wordOf(value))
    if (isEntry || (!isCode && MARKUP.test(line) && namesAudience(line, audiences)))
      return [problemOf('like_audience', at(index), line.trim())]
  }
  return []
}

/** Tells if an audience's name follows the key, or a word like it, and a word between them at most. */
function namesAudience(line: string, audiences: ReadonlySet<string>): boolean {
  const words = line.split(/[^\p{L}\p{M}\p{N}_-]+/u).filter((word) => word !== '')
  return words.some(
    (word, index) =>
      isLikeAudience(word) &&
      words.slice(Math.max(0, index - 2), index + 3).some((near) => audiences.has(wordOf(near))),
  )
}

const wordOf = (value: string): string =>
  value
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/^[\s"'“”「」`[{]+|[\s"'“”「」`\]},;]+$/g, '')
    .toLowerCase()

/** Tells if a value is an audience's name, or a list of such names. */
function areAudiences(value: unknown, audiences: ReadonlySet<string>): boolean {
  const names = [value].flat()
  return names.length > 0 && names.every((name) => typeof name === 'string' && audiences.has(wordOf(name)))
}

interface Entry {
  readonly key: string
  readonly value: unknown
  readonly isTop: boolean
}

function* keysIn(value: unknown, isTop = true): Generator<Entry> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { key, value: inner, isTop }
    yield* keysIn(inner, false)
  }
}

import { visibleText } from '../agents/mcp/page-text.ts'
import { foldText, type Passage, plainText } from './passages.ts'
import { createNumberCheck, statedNumbers } from './stated-numbers.ts'

/** A sentence, list item or block of code as the model wrote it. */
export interface ModelSentence {
  readonly text: string
  readonly kind: SentenceKind
  readonly cites: readonly ModelCitation[]
}

type SentenceKind = 'text' | 'item' | 'code'

export interface ModelCitation {
  readonly n: number
  readonly quote: string
  /** Product or framework that the passage is about; empty if none. */
  readonly subject: string
}

/** A sentence whose citations hold; its text has no markup. */
export interface CheckedSentence {
  readonly kind: SentenceKind
  readonly text: string
  /** Numbers of passages. */
  readonly cites: readonly number[]
}

const QUOTE = { min: 8, max: 200 }
const MAX_CHARACTERS = { text: 1_000, code: 4_000 }
/** Limits of one sentence as the model wrote it, whose parts are each looked for in the passages. */
const MAX_WRITTEN_CHARACTERS = 4_000
const MAX_FACTS = 200

/** Checks sentences of one answer against the passages that the model was given. */
export function createSentenceCheck(question: string, passages: readonly Passage[]) {
  const foldedQuestion = foldText(question)
  const compared = new Map<Passage, ReturnType<typeof readSource>>()
  /** Null for a number that no passage has; each is read when it is first cited. */
  const sourceOf = (n: number) => {
    const passage = passages.find((one) => one.n === n)
    if (passage === undefined) return null
    const source = compared.get(passage) ?? readSource(passage)
    compared.set(passage, source)
    return source
  }

  /**
   * Null for an unsupported sentence: its quotes are in no passage or only repeat the question, the passage is about another product, or an
   * identifier, flag, number or address is in none of the cited passages.
   */
  return (sentence: ModelSentence, subject: string): CheckedSentence | null => {
    if (sentence.text.length > MAX_WRITTEN_CHARACTERS) return null
    const cites = sentence.cites.filter(({ n, quote, subject: other }) => {
      const wanted = foldText(quote)
      const isQuote =
        wanted.length >= QUOTE.min && wanted.length <= QUOTE.max && !foldedQuestion.includes(wanted)
      return isQuote && sourceOf(n)?.folded.includes(wanted) === true && isSameSubject(subject, other)
    })
    const numbers = [...new Set(cites.map(({ n }) => n))]
    if (numbers.length === 0) return null
    const sources = numbers.flatMap((n) => sourceOf(n) ?? [])
    const text = stripMarkup(sentence.text, sentence.kind, sources)
    if (sentence.kind !== 'code' && text.includes('](')) return null
    if (text === '' || text.length > MAX_CHARACTERS[sentence.kind === 'code' ? 'code' : 'text']) return null
    const names = namesOf(text)
    const values = statedNumbers(text, 'sentence')
    const holds =
      names.length + values.length <= MAX_FACTS &&
      names.every((name) => sources.some(({ plain }) => includesWhole(plain, name))) &&
      values.every((value) => sources.some(({ states }) => states(value)))
    return holds ? { kind: sentence.kind, text, cites: numbers } : null
  }
}

/** A passage as quotes, names and numbers are looked for in it. */
function readSource({ title, heading, text }: Passage) {
  const plain = plainText(`${title}\n${heading}\n${text}`)
  return { plain, folded: foldText(plain), states: createNumberCheck(plain) }
}

/** Unknown subjects agree with all; of two names one may have more words, but no longer ones: Java is not JavaScript. */
function isSameSubject(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.length > 0 && b.length > 0 && OTHER_PRODUCT.some((word) => a.includes(word) !== b.includes(word)))
    return false
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word))
}

/** Words that make another product of a name: React Native is not React. */
const OTHER_PRODUCT = [
  'native',
  'lite',
  'mini',
  'micro',
  'mobile',
  'desktop',
  'embedded',
  'classic',
  'legacy',
]

/** Words of a name; a version is a word of its own, in Vue 3, Vue3 and Vue v3. */
const wordsOf = (subject: string): readonly string[] =>
  (plainText(subject).match(/[a-z\d+#]+|[^\s\p{P}\p{S}a-z\d]+/gu) ?? []).flatMap((word) =>
    word
      .replace(/^(?:v(?=\d)|version$)/, '')
      .split(/(?<=[a-z])(?=\d+$)/)
      .filter(Boolean),
  )

const IMAGE = /!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])?/g
const LINK = /\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g
const TAG = /<[/!?]?[a-z][^<>]*>/gi
const NUMBERED = /\[\d{1,2}\]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Links show their text, pictures vanish, and so do tags, unless a cited passage has the very same one. */
function stripMarkup(text: string, kind: SentenceKind, cited: readonly { folded: string }[]): string {
  const plain = visibleText(text.replace(CONTROLS, ''))
  const withoutTags = plain.replace(TAG, (tag) =>
    cited.some(({ folded }) => folded.includes(foldText(tag))) ? tag : '',
  )
  if (kind === 'code') return withoutTags.trim()
  return withoutTags
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(NUMBERED, '')
    .replace(/\*\*|__/g, '')
    .replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const URLS = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>`、。」）)]+/gi
const QUOTED_CODE = /`([^`\n]{1,200})`/g
const FLAGS = /(?<![\w-])--?[a-z][\w-]*/gi
/** Paths, names in parts, Latin words, and calls. */
const NAMES =
  /(?<!\w)[.~]?\/[\w$@.-]+(?:\/[\w$@.-]+)*|(?<![\w$@])[\w$@]{2,}(?:[.:#]+[\w$@]+)+|[$@]?[a-z]+\w*(?:\(\))?/gi
/** Latin names that no prose has: with a sign, a digit or a capital inside, or in capitals like an error's code. */
const IDENTIFIER = /[_./:#\d$@(]|[a-z][A-Z]|^[A-Z]{6,}$/
/** Names with hyphens, in Japanese sentences alone: English prose has them, too. */
const HYPHENATED = /(?<![\w-])[a-z]{2,}\d*(?:-[a-z\d]{2,})+(?![\w-])/g
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Names of a sentence that must not be invented. */
function namesOf(text: string): readonly string[] {
  const normal = text.normalize('NFKC')
  const names = (normal.match(NAMES) ?? [])
    .filter((name) => IDENTIFIER.test(name))
    .map((name) => name.replace(/\)$/, '')) // the source's call may have arguments
  const quoted = [...normal.matchAll(QUOTED_CODE)].map(([, code = '']) => code.replace(/\(\)$/, '('))
  const others = [URLS, FLAGS, ...(KANA.test(normal) ? [HYPHENATED] : [])].flatMap(
    (pattern) => normal.match(pattern) ?? [],
  )
  return [...new Set([...names, ...quoted, ...others].map((name) => plainText(name).trim()))].filter(Boolean)
}

/** Places of a name that are looked at: a page may repeat one within longer names. */
const MAX_PLACES = 100

/** Finds a name that is not a part of a longer one, among its first places; a hyphen makes flags longer. */
function includesWhole(source: string, name: string): boolean {
  const part = /^-|^[a-z\d]+(?:-[a-z\d]+)+$/.test(name) ? /[\w-]/ : /\w/
  const isCut = (inside = '', outside = '') => part.test(inside) && part.test(outside)
  let at = source.indexOf(name)
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const end = at + name.length
    if (!isCut(name[0], source[at - 1]) && !isCut(name.at(-1), source[end])) return true
    at = source.indexOf(name, at + 1)
  }
  return false
}

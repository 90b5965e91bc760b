import { visibleText } from '../agents/mcp/page-text.ts'
import { foldText, type Passage } from './passages.ts'

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
  const folded = new Map(
    passages.map(({ n, title, heading, text }) => [n, foldText(`${title}\n${heading}\n${text}`)]),
  )

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
      return isQuote && folded.get(n)?.includes(wanted) === true && isSameSubject(subject, other)
    })
    const numbers = [...new Set(cites.map(({ n }) => n))]
    if (numbers.length === 0) return null
    const cited = numbers.map((n) => folded.get(n) ?? '')
    const text = stripMarkup(sentence.text, sentence.kind, cited)
    if (sentence.kind !== 'code' && text.includes('](')) return null
    if (text === '' || text.length > MAX_CHARACTERS[sentence.kind === 'code' ? 'code' : 'text']) return null
    const facts = factsOf(text)
    const holds =
      facts.length <= MAX_FACTS &&
      facts.every((fact) => cited.some((passage) => includesWhole(passage, fact)))
    return holds ? { kind: sentence.kind, text, cites: numbers } : null
  }
}

/** Unknown subjects agree with all; of two names one may be a longer form of the other. */
function isSameSubject(one: string, other: string): boolean {
  const [a, b] = [foldText(one), foldText(other)]
  return a === '' || b === '' || a.includes(b) || b.includes(a)
}

const IMAGE = /!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])?/g
const LINK = /\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g
const TAG = /<[/!?]?[a-z][^<>]*>/gi
const NUMBERED = /\[\d{1,2}\]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Links show their text, pictures vanish, and so do tags, unless a cited passage has the very same one. */
function stripMarkup(text: string, kind: SentenceKind, cited: readonly string[]): string {
  const plain = visibleText(text.replace(CONTROLS, ''))
  const withoutTags = plain.replace(TAG, (tag) =>
    cited.some((passage) => passage.includes(foldText(tag))) ? tag : '',
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
/** Latin names that no prose has: paths, or names with an underscore, a dot, a colon, a capital or a digit inside. */
const NAMES = /(?<!\w)[.~]?\/[\w$@.-]+(?:\/[\w$@.-]+)*|(?<![\w$@])[\w$@]{2,}(?:[.:#]+[\w$@]+)+|[a-z]+\w*/gi
const CAPITAL_INSIDE = /[a-z][A-Z]/
const NUMBERS = /\d+(?:[.,:]\d+)*/g

/** Parts of a sentence that must not be invented, folded. */
function factsOf(text: string): readonly string[] {
  const normal = text.normalize('NFKC')
  const names = [...(normal.match(NAMES) ?? [])].filter(
    (name) => /[_./:#\d$@]/.test(name) || CAPITAL_INSIDE.test(name),
  )
  const quoted = [...normal.matchAll(QUOTED_CODE)].map(([, code = '']) => code)
  const others = [URLS, FLAGS, NUMBERS].flatMap((pattern) => normal.match(pattern) ?? [])
  return [...new Set([...names, ...quoted, ...others].map(foldText))].filter((fact) => fact !== '')
}

/** Finds a fact that is not a part of a longer number or name. */
function includesWhole(passage: string, fact: string): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\da-z_]/.test(character)
  const startsWord = isWord(fact[0])
  const endsWord = isWord(fact.at(-1))
  const isNumber = /^\d/.test(fact)
  for (let at = passage.indexOf(fact); at !== -1; at = passage.indexOf(fact, at + 1)) {
    const before = passage[at - 1]
    const after = passage[at + fact.length]
    // Folding removes spaces, so a letter beside a number or a name may be another word; a digit beside a number never is.
    const isCut = isNumber
      ? /\d/.test(before ?? '') || /\d/.test(after ?? '')
      : (startsWord && /_/.test(before ?? '')) || (endsWord && /_/.test(after ?? ''))
    if (!isCut) return true
  }
  return false
}

import { type Passage, plainText } from './passages.ts'

/** English words that say nothing about the subject of a question. */
const COMMON =
  /^(?:an?|the|of|to|in|on|is|are|be|was|do|does|did|how|what|which|when|where|why|who|can|could|should|would|will|may|my|we|you|its?|with|without|for|from|by|and|or|not|that|this|these|those|there|at|as|if|than|into|out|up|one|get|use[ds]?|using|need|have|has|many|much|every|several|way|while|least|meanwhile|let|me)$/
/** Japanese words of the same kind, and what asks for a number. */
const ASKING = /何\p{Script=Han}*|方法|場合|設定|手順|必要|使用|場所|名前|既定|最長|最大/gu
/** Latin words and names, numbers, and rows of kanji or katakana. */
const WORDS = /[a-z][a-z\d_./@-]*[a-z\d]|\d+(?:\.\d+)*|[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+/gu
const MAX_WORDS = 60
/** Words in every one of so many pages are the site's subject, not the question's. */
const MANY_PAGES = 4
const WEIGHT_OF_COMMON = 0.25
const WEIGHT_OF_LOST_NAME = 2
/** Below it the passages are about something else; found on half of the questions of `answers:eval`. */
const MIN_COVERAGE = 0.5

/**
 * Tells if passages speak of the subject that a question and its rewrites name. Counts as covered what words cannot tell: a question without
 * rewrites, which may be in other words than its page, and one in another language than the passages.
 */
export function isCovered(
  question: string,
  rewrites: readonly string[],
  passages: readonly Passage[],
): boolean {
  const pages = [...Map.groupBy(passages, ({ path }) => path).values()].map((parts) =>
    plainText(parts.map(({ title, heading, text }) => `${title}\n${heading}\n${text}`).join('\n')),
  )
  if (rewrites.length === 0 || hasKana(question) !== pages.some(hasKana)) return true
  const names = namesOf(question)
  const words = new Set([question, ...rewrites].flatMap(wordsOf))
  let all = 0
  let covered = 0
  for (const word of [...words].slice(0, MAX_WORDS)) {
    const shares = pages.map((page) => shareOf(word, page))
    const share = Math.max(0, ...shares)
    const isCommon = pages.length >= MANY_PAGES && shares.every((one) => one === 1)
    const weight = isCommon ? WEIGHT_OF_COMMON : share === 0 && names.has(word) ? WEIGHT_OF_LOST_NAME : 1
    all += weight
    covered += weight * share
  }
  return all === 0 || covered / all >= MIN_COVERAGE
}

function wordsOf(text: string): readonly string[] {
  const words = plainText(text).match(WORDS) ?? []
  return words
    .filter((word) => !COMMON.test(word))
    .map((word) => (/^[a-z]+$/.test(word) ? stem(word) : word.replace(ASKING, '').replace(/ー$/, '')))
    .filter((word) => word.length > 1 || /\d/.test(word))
}

const hasKana = (text: string): boolean => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

const stem = (word: string): string => word.replace(/(?<=^[a-z]{3,})(?:ing|ies|ed|es|s)$/, '')

/** Latin words within Japanese, and capitalized ones within a sentence. */
function namesOf(question: string): ReadonlySet<string> {
  const text = question.normalize('NFKC')
  const names = [...text.matchAll(/[a-z][\w./@-]*\w/gi)]
    .filter(({ 0: word, index }) => word.length > 2 && (hasKana(text) || (index > 0 && /^[A-Z]/.test(word))))
    .flatMap(([word]) => wordsOf(word))
  return new Set(names)
}

/** Share of a word that a page has: of Latin words all or nothing, of kanji by pairs. */
function shareOf(word: string, page: string): number {
  if (/^[a-z\d]/.test(word)) return Number(startsIn(page, word))
  if (/^\p{Script=Katakana}/u.test(word)) return Number(page.includes(word))
  const pairs = Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
  return pairs.filter((pair) => page.includes(pair)).length / pairs.length
}

/** Finds a Latin word at the start of one, among its first places. */
function startsIn(page: string, word: string): boolean {
  let at = page.indexOf(word)
  for (let places = 0; at !== -1 && places < 100; places += 1) {
    if (!/[a-z\d]/.test(page[at - 1] ?? '')) return true
    at = page.indexOf(word, at + 1)
  }
  return false
}

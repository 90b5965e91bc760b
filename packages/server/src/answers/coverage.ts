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
/** Mean over the queries below which the passages are about something else; found on half of the questions of decisions/300. */
const MIN_COVERAGE = 0.45

/**
 * Tells if passages speak of the subject that a question and its rewrites name: of each query the passage counts that has most of its words.
 * Counts as covered what words cannot tell: a question without rewrites, which may be in other words than its page, and one in another
 * language than the passages.
 */
export function isCovered(
  question: string,
  rewrites: readonly string[],
  passages: readonly Passage[],
): boolean {
  const texts = passages.map(({ title, heading, text }) => plainText(`${title}\n${heading}\n${text}`))
  if (rewrites.length === 0 || hasKana(question) !== texts.some(hasKana)) return true
  const pages = [...Map.groupBy(texts.keys(), (at) => passages[at]?.path).values()]
  const names = namesOf(question)
  const weigh = (word: string) => {
    const shares = texts.map((text) => shareOf(word, text))
    const isCommon = pages.length >= MANY_PAGES && pages.every((own) => own.some((at) => shares[at] === 1))
    const isLost = names.has(word) && shares.every((share) => share === 0)
    return { weight: isCommon ? WEIGHT_OF_COMMON : isLost ? WEIGHT_OF_LOST_NAME : 1, shares }
  }
  const coverages = [question, ...rewrites].flatMap((query) => {
    const words = [...new Set(wordsOf(query))].slice(0, MAX_WORDS).map(weigh)
    const most = sum(words.map(({ weight }) => weight))
    const covered = texts.map((_, at) => sum(words.map(({ weight, shares }) => weight * (shares[at] ?? 0))))
    return most === 0 ? [] : Math.max(...covered) / most
  })
  return coverages.length === 0 || sum(coverages) / coverages.length >= MIN_COVERAGE
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

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

/** Share of a word that a text has: of Latin words all or nothing, of kanji by pairs. */
function shareOf(word: string, text: string): number {
  if (/^[a-z\d]/.test(word)) return Number(startsIn(text, word))
  if (/^\p{Script=Katakana}/u.test(word)) return Number(text.includes(word))
  const pairs = Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
  return pairs.filter((pair) => text.includes(pair)).length / pairs.length
}

/** Finds a Latin word at the start of one, among its first places. */
function startsIn(text: string, word: string): boolean {
  let at = text.indexOf(word)
  for (let places = 0; at !== -1 && places < 100; places += 1) {
    if (!/[a-z\d]/.test(text[at - 1] ?? '')) return true
    at = text.indexOf(word, at + 1)
  }
  return false
}

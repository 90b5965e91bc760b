import { MAX_IMPACT } from '../../format/postings.ts'
import { KATAKANA_RUN } from '../../text/characters.ts'
import { splitChunk } from '../../text/identifiers.ts'
import { foldKatakana } from '../../text/kana.ts'
import { nameTerms, wordTerm } from '../../text/terms.ts'
import { phrasesIn, type ReadWord } from './phrase-words.ts'
import { subjectFinder } from './subject-names.ts'

/** Subjects of a page: terms, and the impact of each from 1 to `MAX_IMPACT`. */
export interface PageTerms {
  readonly terms: readonly string[]
  readonly impacts: readonly number[]
}

/** Weight of an occurrence in the text, in a heading, in the title, in the area; by `IN_BODY` to `IN_AREA`. */
const PLACE_WEIGHTS = [1, 5, 12, 3]
/** BM25's saturation and length normalisation. The usual length is fixed, so that no page's impact depends on another. */
const SATURATION = 2.5
const LENGTH_SHARE = 0.65
const USUAL_LENGTH = 500
const MAX_TERM = 40
/** One name repeated says no more than twice a title; a subject takes more than a word does; a mention is not kept. */
const SUBJECTS = { maxName: 24, saturation: 2, minImpact: 4 }
const MIN_PART = 3
const LATIN_CHUNK = /[\p{Script=Latin}][\p{Script=Latin}\p{N}_.:/-]*/gu

/** Counts the terms of one page and weighs them as BM25 does. */
export class TermCounter {
  readonly #readPhrase: (phrase: string) => readonly ReadWord[]
  readonly #weights = new Map<string, number>()
  readonly #katakana = new Map<string, number>()
  /** Of each subject, how much each of its names counts. */
  readonly #subjects = new Map<string, Map<string, number>>()
  readonly #findSubjects = subjectFinder()
  #length = 0

  constructor(readPhrase: (phrase: string) => readonly ReadWord[]) {
    this.#readPhrase = readPhrase
  }

  /** Counts a text whose width is normalised. */
  count(wide: string, place: number): void {
    const weight = PLACE_WEIGHTS[place] ?? 1
    for (const phrase of phrasesIn(wide)) {
      let last = ''
      for (const { surface, parts } of this.#readPhrase(phrase)) {
        if (parts !== '' || surface === last) continue
        last = surface // further readings of one word
        this.#add(wordTerm(foldKatakana(surface)), weight)
      }
    }
    for (const run of wide.match(KATAKANA_RUN) ?? [])
      if (run.length > 1) {
        const key = foldKatakana(run)
        this.#katakana.set(key, (this.#katakana.get(key) ?? 0) + weight)
        this.#add(key, weight)
      }
    for (const chunk of wide.match(LATIN_CHUNK) ?? [])
      for (const name of splitChunk(chunk)) for (const term of nameTerms(name)) this.#add(term, weight)
  }

  /** Counts what a text is about by the names of it, however many words they are. */
  countSubjects(wide: string, place: number): void {
    const weight = PLACE_WEIGHTS[place] ?? 1
    this.#findSubjects(wide, ({ text, terms, weight: share }) => {
      for (const term of terms) {
        const names = this.#subjects.get(term) ?? new Map<string, number>()
        this.#subjects.set(term, names)
        names.set(text, (names.get(text) ?? 0) + weight * share)
      }
    })
  }

  /** The page's terms with their impact. */
  impacts(): PageTerms {
    this.#countKatakanaParts()
    const normal = 1 - LENGTH_SHARE + (LENGTH_SHARE * this.#length) / USUAL_LENGTH
    const impactOf = (weight: number): number =>
      Math.max(1, Math.round((MAX_IMPACT * weight) / (weight + SATURATION * normal)))
    const subjects = [...this.#subjects].map(([subject, names]) => {
      const weight = names.values().reduce((sum, one) => sum + Math.min(one, SUBJECTS.maxName), 0)
      return [subject, impactOf(weight / SUBJECTS.saturation)] as const
    })
    const told = subjects.filter(([, impact]) => impact >= SUBJECTS.minImpact)
    return {
      terms: [...this.#weights.keys(), ...told.map(([subject]) => subject)],
      impacts: [...this.#weights.values().map(impactOf), ...told.map(([, impact]) => impact)],
    }
  }

  #add(term: string, weight: number): void {
    if (term === '' || term.length > MAX_TERM) return
    this.#weights.set(term, (this.#weights.get(term) ?? 0) + weight)
    this.#length += 1
  }

  /** サーバーコンポーネント also counts for コンポーネント where the page has that word by itself. */
  #countKatakanaParts(): void {
    for (const [run, weight] of this.#katakana)
      for (let cut = MIN_PART - 1; cut <= run.length - MIN_PART + 1; cut += 1)
        for (const part of [run.slice(0, cut), run.slice(cut)])
          if (part.length >= MIN_PART && this.#katakana.has(part))
            this.#weights.set(part, (this.#weights.get(part) ?? 0) + weight)
  }
}

import { MAX_IMPACT } from '../../format/postings.ts'
import { type Occurrences, weightOf } from './page-texts.ts'
import { subjectFinder } from './subject-names.ts'

/** Subjects of a page: terms, and the impact of each from 1 to `MAX_IMPACT`. */
export interface PageTerms {
  readonly terms: readonly string[]
  readonly impacts: readonly number[]
}

/** BM25's saturation and length normalisation. The usual length is fixed, so that no page's impact depends on another. */
const SATURATION = 2.5
const LENGTH_SHARE = 0.65
const USUAL_LENGTH = 500
const MAX_TERM = 40
/** One name repeated says no more than twice a title; a subject takes more than a word does; a mention is not kept. */
const SUBJECTS = { maxName: 24, saturation: 2, minImpact: 4 }
const MIN_PART = 3

/** Counts the terms of one page and weighs them as BM25 does. */
export class TermCounter {
  readonly #weights = new Map<string, number>()
  readonly #katakana = new Map<string, number>()
  /** Of each subject, how much each of its names counts. */
  readonly #subjects = new Map<string, Map<string, number>>()
  readonly #findSubjects = subjectFinder()
  #length = 0

  add(term: string, { weight, times }: Occurrences): void {
    if (term === '' || term.length > MAX_TERM) return
    this.#weights.set(term, (this.#weights.get(term) ?? 0) + weight)
    this.#length += times
  }

  /** Adds a run of katakana in its folded form, whose parts may be words of the page, too. */
  addKatakana(term: string, occurrences: Occurrences): void {
    this.#katakana.set(term, (this.#katakana.get(term) ?? 0) + occurrences.weight)
    this.add(term, occurrences)
  }

  /** Counts what a text is about by the names of it, however many words they are. */
  countSubjects(wide: string, place: number): void {
    const weight = weightOf(place)
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

  /** サーバーコンポーネント also counts for コンポーネント where the page has that word by itself. */
  #countKatakanaParts(): void {
    for (const [run, weight] of this.#katakana)
      for (let cut = MIN_PART - 1; cut <= run.length - MIN_PART + 1; cut += 1)
        for (const part of [run.slice(0, cut), run.slice(cut)])
          if (part.length >= MIN_PART && this.#katakana.has(part))
            this.#weights.set(part, (this.#weights.get(part) ?? 0) + weight)
  }
}

import { KATAKANA_RUN } from '../../text/characters.ts'
import { splitChunk } from '../../text/identifiers.ts'
import { phrasesIn } from './phrase-words.ts'

/** Places of a word on the page. */
export const IN_BODY = 0
export const IN_HEADING = 1
export const IN_TITLE = 2
/** For terms alone: what the page lies under, which its text often does not say, and the names an author gave it. */
export const IN_AREA = 3
export const IN_NAMES = 4

/** Weight of an occurrence, by `IN_BODY` to `IN_NAMES`. */
const PLACE_WEIGHTS = [1, 5, 12, 3, 5]

/** Weight of an occurrence at a place. */
export const weightOf = (place: number): number => PLACE_WEIGHTS[place] ?? 1

/** Occurrences of one stretch of text on a page: the place of the first, and the sum of all weights. */
export interface Occurrences {
  readonly place: number
  weight: number
  times: number
}

/** Tells if a reader sees it on the page. */
export const isOfText = ({ place }: Occurrences): boolean => place <= IN_TITLE

const LATIN_CHUNK = /[\p{Script=Latin}][\p{Script=Latin}\p{N}_.:/-]*/gu

/** The stretches of a page's texts that are to be read, each once: a page repeats itself more than anything else. */
export class PageTexts {
  readonly phrases = new Map<string, Occurrences>()
  readonly katakana = new Map<string, Occurrences>()
  readonly #chunks = new Map<string, Occurrences>()

  /** Adds a text whose width is normalised. Most telling texts come first. */
  add(wide: string, place: number): void {
    const once = { place, weight: weightOf(place), times: 1 }
    for (const phrase of phrasesIn(wide)) note(this.phrases, phrase, once)
    for (const run of wide.match(KATAKANA_RUN) ?? []) if (run.length > 1) note(this.katakana, run, once)
    for (const chunk of wide.match(LATIN_CHUNK) ?? []) note(this.#chunks, chunk, once)
  }

  /** The Latin names. */
  names(): ReadonlyMap<string, Occurrences> {
    const names = new Map<string, Occurrences>()
    for (const [chunk, occurrences] of this.#chunks)
      for (const name of splitChunk(chunk)) note(names, name, occurrences)
    return names
  }
}

function note(found: Map<string, Occurrences>, text: string, { place, weight, times }: Occurrences): void {
  const known = found.get(text)
  if (known === undefined) found.set(text, { place, weight, times })
  else {
    known.weight += weight
    known.times += times
  }
}

import { visitWindows, WINDOW_BYTES, WindowTable } from './windows.ts'

/** Text known to be public, so that finding it in an answer says nothing about the release. */
export interface PublicText {
  /** Tells if public text covers every byte of the run, window by window. */
  readonly covers: (a: number, b: number) => boolean
  /** The bytes with everything public blanked out (NUL), runs shorter than a window included when listed by name. */
  readonly residue: (bytes: Buffer) => Buffer
}

/**
 * Collects public text. Rule (decisions/070): public is what this product answers when it has **no release**,
 * plus the phrases named here one by one. Nothing the gate under test answers can add itself to it.
 */
export function collectPublicText(answers: readonly Buffer[], phrases: readonly string[]): PublicText {
  const windows = new WindowTable()
  const add = (bytes: Buffer) => visitWindows(bytes, (a, b) => windows.add(a, b, 0))
  for (const answer of answers) add(answer)
  const shortPhrases = phrases
    .map((phrase) => Buffer.from(phrase, 'utf8'))
    .filter((bytes) => bytes.length > 0)
  for (const phrase of shortPhrases) add(phrase)
  return {
    covers: (a, b) => windows.get(a, b) !== -1,
    residue(bytes) {
      const left = Buffer.from(bytes)
      visitWindows(bytes, (a, b, start) => {
        if (windows.get(a, b) !== -1) left.fill(0, start, start + WINDOW_BYTES)
      })
      for (const phrase of shortPhrases) blank(left, bytes, phrase)
      return left
    },
  }
}

function blank(target: Buffer, source: Buffer, phrase: Buffer): void {
  for (let at = source.indexOf(phrase); at !== -1; at = source.indexOf(phrase, at + 1)) {
    target.fill(0, at, at + phrase.length)
  }
}

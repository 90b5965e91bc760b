/**
 * The overlapping pairs of a run and then its last character: 環境変 → 環境, 境変, 変. Pairs cannot disagree
 * between index and query as words can; the last character lets one-character queries find the run's end.
 */
export function bigrams(run: string): string[] {
  const characters = Array.from(run)
  const grams = characters.map((character, at) => character + (characters[at + 1] ?? ''))
  return grams
}

/** The pairs that a phrase query for the run needs: as `bigrams`, without the last character. */
export function phraseGrams(run: string): string[] {
  const grams = bigrams(run)
  return grams.length > 1 ? grams.slice(0, -1) : grams
}

/**
 * Damerau–Levenshtein distance (optimal string alignment) of two words, or `limit` + 1 as soon as it must be
 * larger than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow(a, b, row, previous, before)
    if (Math.min(...current) > limit) return limit + 1
    before = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? limit + 1, limit + 1)
}

function nextRow(
  a: string,
  b: string,
  row: number,
  previous: readonly number[],
  before: readonly number[],
): number[] {
  const current = [row]
  for (let column = 1; column <= b.length; column += 1) {
    const same = a[row - 1] === b[column - 1]
    let least = Math.min(
      (previous[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (previous[column - 1] ?? 0) + (same ? 0 : 1),
    )
    const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
    if (swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1)
    current.push(least)
  }
  return current
}

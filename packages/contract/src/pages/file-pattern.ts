/** Tells if a path, from the root of its repository, matches. */
export type FilePattern = (path: string) => boolean

/**
 * Compiles a pattern of files in a repository: `*` and `?` stand for characters of one name, `**` for any folders, a slash at the end
 * for everything in a folder. Comparing takes time in proportion to the product of both lengths.
 */
export function compilePattern(pattern: string): FilePattern {
  const names = pattern.replace(/^\//, '').replace(/\/$/, '/**').split('/')
  return (path) => matchesAll(names, path.split('/'), '**', matchesName)
}

const matchesName = (pattern: string, name: string): boolean =>
  pattern === name ||
  (/[*?]/.test(pattern) &&
    matchesAll([...pattern], [...name], '*', (char, one) => char === '?' || char === one))

/** Returns to the last `many` alone, which suffices and bounds the work. */
function matchesAll(
  pattern: readonly string[],
  items: readonly string[],
  many: string,
  fits: (pattern: string, item: string) => boolean,
): boolean {
  let at = 0
  let item = 0
  let last: { at: number; item: number } | null = null
  while (item < items.length) {
    const wanted = pattern[at]
    if (wanted === many) {
      at += 1
      last = { at, item }
    } else if (wanted !== undefined && fits(wanted, items[item] ?? '')) {
      at += 1
      item += 1
    } else if (last === null) return false
    else {
      last.item += 1
      ;({ at, item } = last)
    }
  }
  while (pattern[at] === many) at += 1
  return at === pattern.length
}

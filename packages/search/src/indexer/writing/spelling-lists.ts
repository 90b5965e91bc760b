import type { DatabaseSync } from 'node:sqlite'
import { prepareWrite } from './prepare-write.ts'

const MIN_LENGTH = 3
/** A word that stands once in one text is as likely a misspelling itself. */
const WEIGHTS = `
SELECT key, max(titles * 8 + headings * 3 + pages) AS weight FROM lexicon
WHERE key IN (SELECT value FROM json_each(?)) AND (pages > 1 OR headings > 0 OR titles > 0) GROUP BY key`

/** Brings the lists of words worth correcting to up to date with the lexicon, for the words that changed in it. */
export function updateSpelling(database: DatabaseSync, changed: ReadonlySet<string>): void {
  const readList = database.prepare('SELECT words FROM spelling WHERE length = ?')
  const readWeights = database.prepare(WEIGHTS)
  const write = prepareWrite(database, 'INSERT OR REPLACE INTO spelling VALUES (?, ?)')
  const remove = prepareWrite(database, 'DELETE FROM spelling WHERE length = ?')
  for (const [length, keys] of Map.groupBy(changed, (key) => Array.from(key).length)) {
    if (length < MIN_LENGTH) continue
    const words = readLines(readList.get(length)?.words)
    for (const key of keys) words.delete(key)
    for (const { key, weight } of readWeights.all(JSON.stringify(keys)))
      words.set(String(key), String(weight))
    const lines = [...words].map(([key, weight]) => `${key}\t${weight}`)
    if (lines.length === 0) remove.run(length)
    else write.run(length, lines.sort().join('\n'))
  }
}

function readLines(lines: unknown): Map<string, string> {
  if (typeof lines !== 'string' || lines === '') return new Map()
  return new Map(
    lines.split('\n').map((line) => {
      const tab = line.indexOf('\t')
      return [line.slice(0, tab), line.slice(tab + 1)]
    }),
  )
}

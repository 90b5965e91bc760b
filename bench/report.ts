import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** One measured thing: a subject (us or a peer) and its numbers by column. */
export interface Row {
  subject: string
  values: { [column: string]: number }
}

/** A benchmark's result; `ours` is the row that ratios compare with. */
export interface Result {
  name: string
  about: string
  ours: string
  rows: Row[]
  /** Failures while measuring, such as errors in a page's console. */
  problems: string[]
}

/** Writes a result as a table, each number of a peer followed by how many times ours it is. */
export function toTable({ name, about, ours, rows }: Result): string {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const own = rows.find(({ subject }) => subject === ours)?.values ?? {}
  const lines = rows.map(({ subject, values }) => {
    const cells = columns.map((column) =>
      writeCell(values[column], subject === ours ? undefined : own[column]),
    )
    return `| ${[subject, ...cells].join(' | ')} |`
  })
  return [
    `### ${name}`,
    '',
    about,
    '',
    `| | ${columns.join(' | ')} |`,
    `|---|${'---|'.repeat(columns.length)}`,
    ...lines,
    '',
  ].join('\n')
}

function writeCell(value: number | undefined, own: number | undefined): string {
  if (value === undefined) return '—'
  const text = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
  return own === undefined || own === 0 ? text : `${text} (×${(value / own).toFixed(2)})`
}

/** Keeps the numbers of a run for comparison. */
export function writeJson(file: string, results: readonly Result[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ results }, null, 2)}\n`)
}

/** The middle of the values; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
}

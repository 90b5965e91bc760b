/** A figure and what it has to be. */
export type Row = readonly [what: string, figure: string | number, wanted: string]

/** Measurements of a trial, and its faults, each a sentence. */
export interface Outcome {
  readonly rows: readonly Row[]
  readonly problems: readonly string[]
}

/** The rows as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  return `\n| | | wanted |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}

/** Restriction of the pages to search. A missing filter excludes nothing. */
export interface Filters {
  /** Area of the site: docs, knowledge, blog or page. */
  readonly kind?: string
  /** Path that the page's address begins with, such as `/docs/guide`. */
  readonly folder?: string
  readonly tag?: string
  readonly version?: string
  /** First day, as YYYY-MM-DD; pages without a date are left out. */
  readonly since?: string
  /** Last day, as YYYY-MM-DD; pages without a date are left out. */
  readonly until?: string
}

/** A condition on the table `page`; `sql` is made of constants, every value is a parameter. */
export interface Condition {
  readonly sql: string
  readonly values: readonly string[]
}

const SQL: Readonly<Record<keyof Filters, string>> = {
  kind: "kind = ? OR (kind = 'reference' AND ? = 'docs')",
  folder: "(url = ? OR substr(url, 1, length(?) + 1) = ? || '/')",
  tag: 'instr(char(10) || tags || char(10), char(10) || ? || char(10)) > 0',
  version: 'version = ?',
  since: "date <> '' AND date >= ?",
  until: "date <> '' AND date <= ?",
}

/** The condition for filters; null when there are none. */
export function conditionOf(filters: Filters): Condition | null {
  const given = (Object.keys(SQL) as (keyof Filters)[]).flatMap((name) => {
    const value = filters[name]
    return value === undefined
      ? []
      : [{ name, value: name === 'folder' ? value.replace(/(?<!\/)\/+$/, '') : value }]
  })
  if (given.length === 0) return null
  return {
    sql: given.map(({ name }) => `(${SQL[name]})`).join(' AND '),
    values: given.flatMap(({ name, value }) => Array<string>(SQL[name].split('?').length - 1).fill(value)),
  }
}

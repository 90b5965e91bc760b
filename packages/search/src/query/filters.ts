/** What pages to look among. A filter that is left out leaves nothing out. */
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
  kind: 'kind = ?',
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
    return value === undefined ? [] : [{ name, value: name === 'folder' ? value.replace(/\/+$/, '') : value }]
  })
  if (given.length === 0) return null
  return {
    sql: given.map(({ name }) => SQL[name]).join(' AND '),
    values: given.flatMap(({ name, value }) => Array<string>(SQL[name].split('?').length - 1).fill(value)),
  }
}

/** A value that some of the found pages have, for filtering by it. */
export interface FilterChoice {
  readonly value: string
  readonly pages: number
}

/** By what the found pages differ. */
export interface FilterChoices {
  readonly kinds: readonly FilterChoice[]
  readonly folders: readonly FilterChoice[]
  readonly tags: readonly FilterChoice[]
  readonly versions: readonly FilterChoice[]
}

const MAX_CHOICES = 8

/** Counts the values that tell found pages apart; one that all have is no choice. */
export function countChoices(
  pages: readonly { url: string; kind: string; tags: readonly string[]; version: string }[],
): FilterChoices {
  const count = (valuesOf: (page: (typeof pages)[number]) => readonly string[]): FilterChoice[] => {
    const counts = new Map<string, number>()
    for (const page of pages)
      for (const value of valuesOf(page)) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .filter(([value, count]) => value !== '' && count < pages.length)
      .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
      .slice(0, MAX_CHOICES)
      .map(([value, pages]) => ({ value, pages }))
  }
  return {
    kinds: count(({ kind }) => [kind]),
    folders: count(({ url }) => [folderOf(url)]),
    tags: count(({ tags }) => tags),
    versions: count(({ version }) => [version]),
  }
}

/** The first two folders of an address, which is how sites divide their documentation. */
function folderOf(url: string): string {
  const folders = url.split('/').slice(1, -1).slice(0, 2)
  return folders.length === 0 ? '' : `/${folders.join('/')}`
}

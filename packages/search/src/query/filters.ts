import type { PageHead } from './pages.ts'

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

/** A value that some of the found pages have, for filtering by it; `label` is how a reader knows it. */
export interface FilterChoice {
  readonly value: string
  readonly label: string
  readonly pages: number
}

/** By what the found pages differ; a list is empty when they do not. */
export interface FilterChoices {
  readonly folders: readonly FilterChoice[]
  readonly tags: readonly FilterChoice[]
  readonly versions: readonly FilterChoice[]
  /** Oldest and newest day among them; null when none has a day. */
  readonly days: readonly [oldest: string, newest: string] | null
}

type Filterable = Pick<PageHead, 'url' | 'breadcrumbs' | 'tags' | 'version' | 'date'>

const MAX_CHOICES = 8

/** Counts the values that tell found pages apart; one that all have is no choice. */
export function countChoices(pages: readonly Filterable[]): FilterChoices {
  const days = pages.map(({ date }) => date).filter((date) => date !== '')
  const [oldest, newest] = [days.toSorted()[0], days.toSorted().at(-1)]
  return {
    folders: folderChoices(pages),
    tags: commonest(
      pages.flatMap(({ tags }) => [...new Set(tags)]),
      pages.length,
    ),
    versions: commonest(
      pages.map(({ version }) => version),
      pages.length,
    ),
    days: oldest === undefined || newest === undefined ? null : [oldest, newest],
  }
}

/** Of the values of so many pages those that some have and some have not, commonest first. */
function commonest(values: readonly string[], all: number): FilterChoice[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .filter(([value, count]) => value !== '' && count < all)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_CHOICES)
    .map(([value, pages]) => ({ value, label: value, pages }))
}

/** Whether a folder has all of the pages in it or below it. */
const isAround = (folder: string, pages: readonly Filterable[]): boolean =>
  pages.every(({ url }) => url.startsWith(`${folder}/`))

/** A folder is known by the breadcrumb that its pages share and others do not have, if there is one. */
function folderChoices(pages: readonly Filterable[]): FilterChoice[] {
  const byPage = pages.map(({ url }) => folderOf(url))
  const folders = commonest(byPage, pages.length).filter(({ value }) => !isAround(value, pages))
  const names = folders.map(({ value }) => sharedName(pages.filter((_, at) => byPage[at] === value)))
  return folders.map((folder, at) => {
    const name = names[at]
    const isShared = name === undefined || names.indexOf(name) !== names.lastIndexOf(name)
    return { ...folder, label: isShared ? readable(folder.value) : name }
  })
}

/** An address as a reader would write it: browsers show セッション, not %E3%82%BB…. */
function readable(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

const sharedName = ([first, ...others]: readonly Filterable[]): string | undefined =>
  first?.breadcrumbs.findLast((name) => others.every(({ breadcrumbs }) => breadcrumbs.includes(name)))

/** The first two folders of an address, which is how sites divide an area; one alone is the area, which `kind` tells. */
function folderOf(url: string): string {
  const folders = url.split('/').slice(1, -1)
  return folders.length < 2 ? '' : `/${folders.slice(0, 2).join('/')}`
}

import type { FilterChoice, FilterChoices, SearchFilters } from '@sekisho/contract/search-response'
import { TEXTS } from './texts.ts'

/** A filter to set, or one that is set and can be taken off. */
export type Chip = {
  readonly name: Exclude<keyof SearchFilters, 'section'>
  readonly value: string
  readonly label: string
  readonly isOn: boolean
}

/** More would hide the results on a phone. */
const MAX_OFFERED = { folder: 3, tag: 3, version: 2 }
const LABELS: Readonly<Record<Chip['name'], (value: string) => string>> = {
  folder: nameOfFolder,
  tag: (tag) => `#${tag}`,
  version: TEXTS.version,
  since: TEXTS.since,
  until: TEXTS.until,
}

/**
 * The filters that are on, and those by which the found pages differ. `labels` has how a filter was called when it was
 * chosen, by name and value: an answer within a folder does not name the folder.
 */
export function filterChips(
  filters: SearchFilters,
  choices: FilterChoices | null,
  labels: ReadonlyMap<string, string>,
  today: Date,
): Chip[] {
  const { section: _area, ...chosen } = filters
  const on = (Object.entries(chosen) as [Chip['name'], string][]).map(
    ([name, value]): Chip => ({
      name,
      value,
      label: labels.get(`${name} ${value}`) ?? LABELS[name](value),
      isOn: true,
    }),
  )
  if (choices === null) return on
  const offer = (name: keyof typeof MAX_OFFERED, found: readonly FilterChoice[]): Chip[] =>
    filters[name] === undefined
      ? found
          .map(({ value, label }) => ({
            name,
            value,
            label: label === value ? LABELS[name](value) : label,
            isOn: false,
          }))
          .slice(0, MAX_OFFERED[name])
      : []
  return [
    ...on,
    ...offer('version', choices.versions),
    ...offer('folder', choices.folders),
    ...offer('tag', choices.tags),
    ...(filters.since === undefined ? periods(choices.days, today) : []),
  ]
}

/** Display name of an unnamed folder: the last part of its path, never the path. */
function nameOfFolder(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** The last month and year, where some of the found pages are older and some are not. */
function periods(days: FilterChoices['days'], today: Date): Chip[] {
  if (days === null) return []
  const [oldest, newest] = days
  const ago = (months: number): string => {
    const day = new Date(Date.UTC(today.getFullYear(), today.getMonth() - months, today.getDate()))
    return day.toISOString().slice(0, 10)
  }
  return [
    { since: ago(1), label: TEXTS.lastMonth },
    { since: ago(12), label: TEXTS.lastYear },
  ]
    .filter(({ since }) => oldest < since && since <= newest)
    .map(({ since, label }) => ({ name: 'since', value: since, label, isOn: false }))
}

import { decodeOrSame } from '@sekisho/contract/canonical-path'
import type { FilterChoice, FilterChoices } from '@sekisho/contract/search-response'
import { CHOICES } from '../../query-constants.ts'
import type { PageHead } from '../retrieve/pages.ts'

type Filterable = Pick<PageHead, 'url' | 'title' | 'breadcrumbs' | 'tags' | 'version' | 'date'>

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
    .slice(0, CHOICES.maxChoices)
    .map(([value, pages]) => ({ value, label: value, pages }))
}

/** Tells if a folder contains all of the pages, at any depth. */
const isAround = (folder: string, pages: readonly Filterable[]): boolean =>
  pages.every(({ url }) => url.startsWith(`${folder}/`))

/**
 * A folder is known by the breadcrumb that its pages share and others do not have, if there is one; by the title of its own page, if that is
 * all that was found; else by the last part of its path.
 */
function folderChoices(pages: readonly Filterable[]): FilterChoice[] {
  const byPage = pages.map(({ url }) => folderOf(url))
  const folders = commonest(byPage, pages.length).filter(({ value }) => !isAround(value, pages))
  const names = folders.map(({ value }) =>
    nameOf(
      value,
      pages.filter((_, at) => byPage[at] === value),
    ),
  )
  return folders.map((folder, at) => {
    const name = names[at]
    const isShared = name === undefined || names.indexOf(name) !== names.lastIndexOf(name)
    return { ...folder, label: isShared ? lastPart(folder.value) : name }
  })
}

/** Display name of a folder without its own, as browsers show it: セッション, not %E3%82%BB…; never a path. */
function lastPart(folder: string): string {
  return decodeOrSame(folder.slice(folder.lastIndexOf('/') + 1))
}

/** The page of the folder itself may lie beside it in the breadcrumbs, rather than below. */
function nameOf(folder: string, pages: readonly Filterable[]): string | undefined {
  const below = pages.filter(({ url }) => url !== `${folder}/`)
  return below.length > 0 ? sharedName(below) : (sharedName(pages) ?? pages[0]?.title)
}

const sharedName = ([first, ...others]: readonly Filterable[]): string | undefined =>
  first?.breadcrumbs.findLast((name) => others.every(({ breadcrumbs }) => breadcrumbs.includes(name)))

/** The first two folders of an address, which is how sites divide an area; one alone is the area, which `kind` tells. */
function folderOf(url: string): string {
  const folders = url.split('/').slice(1, -1)
  return folders.length < 2 ? '' : `/${folders.slice(0, 2).join('/')}`
}

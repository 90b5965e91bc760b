import type { DatabaseSync } from 'node:sqlite'
import { readBlock } from '../format/postings.ts'
import type { Group } from './alternative.ts'

/** Whether a word names the area of the site that a page lies in, as React does that of its documentation. */
export interface Areas {
  /** For each group, whether it names a page's area. */
  namedBy(groups: readonly Group[]): (page: number) => readonly boolean[]
}

/** A folder of fewer pages has a word by chance. */
const MIN_PAGES = 20
const MAX_DEPTH = 2
/** A word on four pages of five names their folder, unless one in five of the others has it too. */
const NAMING_SHARE = 0.8
const COMMON_SHARE = 0.2

interface Folder {
  pages: number
  /** Of its pages, those with the word that is being counted. */
  withWord: number
}

/** Prepares the reads on an open index; folders are read when the first query needs them, 60 ms for 50,000 pages. */
export function createAreas(database: DatabaseSync, count: number): Areas {
  const read = database.prepare('SELECT block, pages FROM posting WHERE term = ?')
  let known: readonly (readonly Folder[])[] | null = null

  /** The folders that a word names. */
  function named({ units = [] }: Group, foldersOf: readonly (readonly Folder[])[]): Set<Folder> {
    const term = units.length === 1 ? units[0]?.[0]?.term : undefined
    const seen = new Set<Folder>()
    let all = 0
    for (const row of term === undefined ? [] : read.all(term))
      readBlock(row.pages, Number(row.block), (page) => {
        all += 1
        for (const folder of foldersOf[page] ?? []) {
          if (folder.withWord === 0) seen.add(folder)
          folder.withWord += 1
        }
      })
    const named = [...seen].filter(
      ({ pages, withWord }) =>
        withWord >= NAMING_SHARE * pages && all - withWord < COMMON_SHARE * (count - pages),
    )
    for (const folder of seen) folder.withWord = 0
    return new Set(named)
  }

  return {
    namedBy(groups) {
      known ??= readFolders(database)
      const foldersOf = known
      const areas = groups.map((group) => named(group, foldersOf))
      return (page) => {
        const folders = foldersOf[page] ?? []
        return areas.map((area) => folders.some((folder) => area.has(folder)))
      }
    },
  }
}

/** The folders of every page that have enough pages, in the first levels of addresses. */
function readFolders(database: DatabaseSync): readonly (readonly Folder[])[] {
  const folders = new Map<string, Folder>()
  const ofPages: (readonly Folder[])[] = []
  for (const { id, url } of database.prepare('SELECT id, url FROM page').iterate()) {
    const segments = String(url).split('/').slice(1, -1).slice(0, MAX_DEPTH)
    const own = segments.map((_, at) => {
      const path = segments.slice(0, at + 1).join('/')
      const folder = folders.get(path) ?? { pages: 0, withWord: 0 }
      folder.pages += 1
      folders.set(path, folder)
      return folder
    })
    ofPages[Number(id)] = own
  }
  return ofPages.map((own) => own.filter(({ pages }) => pages >= MIN_PAGES))
}

import { PAGE_ENDING } from '@sekisho/contract/page-markdown'
import type { Edition, Manifest, ReleaseFile } from './manifest.ts'

/** Pages that an edition has gained and lost since another release, by path. */
export interface EditionChanges {
  readonly name: string
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** Pages and files that readers of the edition were kept from before, and get now; their paths now. */
  readonly widened: readonly string[]
}

type Editions = Pick<Manifest, 'editions'>

/**
 * Compares what readers get of two releases. Editions correspond by their audiences, whatever they are called: each is compared with
 * what its readers got before.
 */
export function compareEditions(before: Editions, after: Editions): readonly EditionChanges[] {
  const paths = new Set(after.editions.flatMap(({ files }) => [...files.keys()]))
  return after.editions.map((edition) => {
    const earlier = before.editions.find(({ audiences }) =>
      audiences.every((audience) => edition.audiences.includes(audience)),
    )
    const [now, then] = [pagesOf(edition), pagesOf(earlier)]
    return {
      name: edition.name,
      gained: [...now.keys()].filter((path) => !then.has(path)),
      lost: [...then.keys()].filter((path) => !now.has(path)),
      widened: earlier === undefined ? [] : findWidened(before, earlier, edition, (path) => !paths.has(path)),
    }
  })
}

/** Paths of what a release would show to more readers than the one before it, with the name of their edition; each once. */
export function findWidening(before: Editions, after: Editions): readonly string[] {
  const found = compareEditions(before, after).flatMap(({ name, widened }) =>
    widened.map((path) => `${path} (${name})`),
  )
  return [...new Set(found)]
}

/** A page keeps its address or its content, and one that is moved its title or the last segment of its path. */
function findWidened(
  before: Editions,
  earlier: Edition,
  edition: Edition,
  isGone: (path: string) => boolean,
): readonly string[] {
  const addedTo = ({ files }: Edition) => [...files].filter(([path]) => !earlier.files.has(path))
  const added = addedTo(edition)
  const kept = added.length === 0 ? [] : before.editions.flatMap(addedTo)
  if (kept.length === 0) return []
  const own = new Set([...earlier.files].flatMap((entry) => marksOf(entry, true)))
  const marks = kept.flatMap((entry) => marksOf(entry, isGone(entry[0])))
  const restricted = new Set(marks.filter((mark) => !own.has(mark)))
  return added
    .filter((entry) => marksOf(entry, true).some((mark) => restricted.has(mark)))
    .map(([path]) => path)
}

function marksOf(
  [path, { sha256, title, delivery }]: readonly [string, ReleaseFile],
  isMoved: boolean,
): readonly string[] {
  const [segment = ''] = path
    .split('/')
    .filter((part) => part !== '')
    .slice(-1)
  const isMovedPage = isMoved && delivery === 'page'
  return [
    `path ${path}`,
    `content ${sha256}`,
    ...(isMovedPage && title !== undefined ? [`title ${title}`] : []),
    ...(isMovedPage && !/^(?:index\b|$)/.test(segment)
      ? [`segment ${segment.replace(PAGE_ENDING, '')}`]
      : []),
  ]
}

function pagesOf(edition: Edition | undefined): ReadonlyMap<string, ReleaseFile> {
  const pages = [...(edition?.files ?? [])].filter(
    ([path, { delivery }]) => delivery === 'page' && path !== edition?.notFound,
  )
  return new Map(pages)
}

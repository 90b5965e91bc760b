import { decodeOrSame, encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import { splitTarget } from '@sekisho/release'
import type { ServedEdition } from '../../kernel/reader.ts'

/** A page that an agent named, and the part of it. */
export interface NamedPage {
  readonly path: string
  readonly title: string
  /** Empty for all of it. */
  readonly anchor: string
}

/**
 * Finds the page that an id means: its path with or without slash or ending, its address, one of these with an anchor, the path of its
 * Markdown, or its title. What the edition does not hold is null like nonsense.
 */
export function findPage({ edition }: ServedEdition, id: string, origin: URL): NamedPage | null {
  const asked = id.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(asked) ? asked : `/${asked.replace(/^\/+/, '')}`, origin)
  const byPath = url?.origin === origin.origin ? byAddress(edition, url) : null
  if (byPath !== null) return byPath
  for (const [path, file] of edition.files)
    if (file.markdown !== undefined && file.title === asked) return { path, title: asked, anchor: '' }
  return null
}

function byAddress(edition: ServedEdition['edition'], { pathname, hash }: URL): NamedPage | null {
  const asked = decodeOrSame(pathname).normalize('NFC')
  const anchor = decodeOrSame(hash.slice(1))
  const stem = asked.replace(/\.md$/i, '').replace(/(?<=.)\/$/, '')
  for (const path of [asked, stem, `${stem}/`, stem.replace(/\/index$/, '/')]) {
    const target = edition.redirects.get(path)
    const known = target === undefined ? { path, fragment: '' } : splitTarget(target)
    const file = edition.files.get(known.path)
    if (file?.markdown === undefined) continue
    return {
      path: known.path,
      title: file.title ?? known.path,
      anchor: anchor || decodeOrSame(known.fragment.slice(1)),
    }
  }
  return null
}

/** The path of an address that a site of ours named, such as one of the search's. */
export function pathOfUrl(url: string, origin: URL): string {
  return equivalentPath(new URL(url, origin).href) ?? url
}

/** The address of a page, for people. */
export function urlOf({ path, anchor }: Pick<NamedPage, 'path' | 'anchor'>, origin: URL): string {
  return origin.origin + encodePath(path) + (anchor === '' ? '' : `#${encodeURIComponent(anchor)}`)
}

import { posix } from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { absentPaths } from '@sekisho/docusaurus/editions'
import type { SiteFile } from './site-files.ts'

/** An address of the site that a page or a partial names, and where. */
interface NamedAddress {
  readonly line: number
  readonly address: string
}

const PAGES = 'src/pages'
const VERSIONED = /^(?:(.+)_)?versioned_docs\/version-([^/]+)\//
const PAGE = /\.(?:mdx?|[jt]sx?)$/
const SIMPLE = /^[a-z0-9-]+$/

/** Tells if a file is a page by itself: its text goes to all who may read it. */
export const isPage = ({ name, isMarkdown }: SiteFile): boolean =>
  isMarkdown || (name.startsWith(`${PAGES}/`) && PAGE.test(name))

/**
 * Addresses of pages, tags and authors under the plugins' usual configuration, each with its pages. Unusual configurations are left to
 * Docusaurus, which reports links that lead nowhere.
 */
export function usualAddresses(files: readonly SiteFile[]): ReadonlyMap<string, readonly SiteFile[]> {
  const found = files
    .filter(isPage)
    .flatMap((file) => addressesOf(file).map((address) => ({ address, file })))
  const grouped = Map.groupBy(found, ({ address }) => address)
  return new Map([...grouped].map(([address, same]) => [address, same.map(({ file }) => file)]))
}

/** Those of a page itself come first. */
function addressesOf(file: SiteFile): readonly string[] {
  const { id, slug, tags, authors } = file.frontMatter
  const page = {
    name: file.name,
    ...(typeof id === 'string' && { id }),
    ...(typeof slug === 'string' && { slug }),
  }
  const [folder, base] = placeOf(file.name)
  const lists = [
    ...namesIn(tags).map((tag) => posix.join('/', base, 'tags', tag)),
    ...namesIn(authors).map((author) => posix.join('/', base, 'authors', author)),
  ]
  return [...absentPaths([page], folder, base), ...lists]
}

/** The folder of a page's plugin, and where its pages are. */
function placeOf(name: string): readonly [folder: string, base: string] {
  if (name.startsWith(`${PAGES}/`)) return [PAGES, '/']
  const [whole, id = 'docs', version = ''] = VERSIONED.exec(name) ?? []
  if (whole !== undefined) return [whole.slice(0, -1), `${id}/${version}`]
  const [folder = ''] = name.split('/')
  return [folder, folder]
}

/** Tags and authors whose names are what their addresses end with. */
const namesIn = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && SIMPLE.test(one))

/** A path from the root of the site or from the page, which is part of no longer address. */
const ADDRESS = /(?<![\p{L}\p{N}_.~%:/-])\.{0,2}\/[\p{L}\p{M}\p{N}_@.~%+/-]*/gu

/** Candidates for addresses in a text, spelled as in {@link usualAddresses}. */
export function findAddresses(file: SiteFile): readonly NamedAddress[] {
  const [own = '/'] = addressesOf(file)
  return (file.text ?? '').split('\n').flatMap((text, index) => {
    const named = [...text.matchAll(ADDRESS)].map(([path]) =>
      posix.resolve(posix.dirname(own), decodeOrSame(path, decodeURI)),
    )
    // A slash alone stands between words.
    return [...new Set(named)]
      .filter((address) => address !== '/')
      .map((address) => ({ line: index + 1, address }))
  })
}

import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  createLinkHistory,
  createSourceReader,
  findSlips,
  noteSiteLanguage,
  type PageSource,
  partialsOf,
  readOpenApiProblems,
} from '@sekisho/docusaurus/writing'
import { buildIndex, type IndexPage } from '@sekisho/search/indexer'
import { findProblems, type ReadPage } from './find-problems.ts'
import { type NotedPage, readNotedSite } from './site-notes.ts'

/** Result of reading a site's sources. */
interface SiteReading {
  /** The file of a search index. */
  readonly index: string
  /** Problems to correct: file, line and remedy. */
  readonly problems: readonly string[]
}

type SourceReader = Awaited<ReturnType<typeof createSourceReader>>

interface KnownFile {
  readonly stamp: string
  readonly read: PageSource
  readonly slips: readonly string[]
}

/**
 * Makes what reads a site's pages from their sources as often as they change; files that have not changed are not read again.
 * It resolves to null while Docusaurus has not loaded the site.
 */
export function createSiteReading(siteDir: string): () => Promise<SiteReading | null> {
  const cache = join(siteDir, '.cache', 'sekisho-dev')
  const known = new Map<string, KnownFile>()
  let reader: SourceReader | null = null
  let addresses: ReadonlyMap<string, string> = new Map()
  const history = createLinkHistory(siteDir, (source) => addresses.get(source))
  let times = 0

  return async () => {
    const site = readNotedSite(siteDir)
    if (site === null) return null
    noteSiteLanguage(site.locale)
    reader ??= await createSourceReader(siteDir, site.format)
    const parse = reader
    const pages = site.pages.flatMap((page) => {
      const file = readFile(page.source, parse)
      return file === null ? [] : [{ ...page, slips: file.slips, read: withPartials(page, file.read, parse) }]
    })
    addresses = new Map(pages.map(({ source, permalink }) => [source, permalink]))
    const problems = [
      ...findProblems(siteDir, site, pages, history),
      ...pages.flatMap(({ slips }) => slips),
      ...readOpenApiProblems(siteDir),
    ]
    mkdirSync(cache, { recursive: true })
    // The index of before is open while this one is written.
    times += 1
    const index = join(cache, `search-${times % 2}.db`)
    const ids = new Map(pages.filter(({ unlisted }) => !unlisted).map((page) => [page.permalink, page]))
    await buildIndex({ pages: [...ids.values()].map(pageToIndex), outFile: index, cacheDir: cache })
    return { index, problems: [...new Set(problems)] }
  }

  function readFile(source: string, parse: SourceReader): KnownFile | null {
    const file = join(siteDir, source)
    const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs === undefined) return null
    const stamp = `${mtimeMs} ${size}`
    const before = known.get(source)
    if (before?.stamp === stamp) return before
    const text = readFileSync(file, 'utf8')
    const now = { stamp, read: parse(source, text), slips: findSlips(source, text) }
    known.set(source, now)
    return now
  }

  /** Texts and headings of the files that a page shows are the page's own; links in them are looked at where they are written. */
  function withPartials({ source }: NotedPage, read: PageSource, parse: SourceReader): PageSource {
    const parts = partialsOf(readFileSync(join(siteDir, source), 'utf8'), source)
      .map((part) => readFile(part, parse)?.read ?? null)
      .filter((part) => part !== null)
    if (parts.length === 0) return read
    const anchors = [read, ...parts].map((one) => one.anchors)
    return {
      links: read.links,
      sections: [...read.sections, ...parts.flatMap((part) => part.sections)],
      anchors: anchors.includes(null) ? null : new Set(anchors.flatMap((one) => [...(one ?? [])])),
    }
  }
}

function pageToIndex({ permalink, title, kind, description, keywords, tags, read }: ReadPage): IndexPage {
  const sections = read.sections.map((section) => ({ ...section, heading: section.heading || title }))
  return {
    id: permalink,
    url: encodeURI(permalink),
    title,
    kind,
    keywords,
    tags,
    sections,
    breadcrumbs: [],
    ...(description === '' ? {} : { description }),
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IndexPage } from '@sekisho/search/indexer'
import { LIMIT, type SearchEngineSubject } from '../engine.ts'
import { importPeer, peerFile } from './peer-modules.ts'

const PACKAGE = '@easyops-cn/docusaurus-search-local/dist'
const OPTIONS = { language: ['ja'], removeDefaultStopWordFilter: [], removeDefaultStemmer: false }
/** Limit of its results page, which counts sections. */
const ITS_LIMIT = 100

interface Entry {
  readonly i: number
  readonly t: string
  readonly u: string
  readonly h?: string
  readonly p?: number
}

interface SearchWorker {
  search(baseUrl: string, context: string, input: string, limit: number): Promise<{ document: Entry }[]>
}

/** The search most Docusaurus sites have: its own indexer and its own browser code, with the language it needs for Japanese. */
export const easyops: SearchEngineSubject = {
  name: 'easyops search-local 0.55 (lunr)',
  async build(pages, folder) {
    const require = createRequire(peerFile('index.js'))
    const { buildIndex } = require(peerFile(`${PACKAGE}/server/server/utils/buildIndex.js`))
    writeFileSync(join(folder, 'search-index.json'), JSON.stringify(buildIndex(entriesOf(pages), OPTIONS)))
  },
  async open(folder) {
    standInForBrowser(folder)
    const { SearchWorker } = await importPeer<{ SearchWorker: new () => SearchWorker }>(
      `${PACKAGE}/client/client/theme/worker.js`,
    )
    const worker = new SearchWorker()
    await worker.search('/', '', 'index', 1) // loads the index, as the first key in the page does
    return async (q) => {
      const found = await worker.search('/', '', q, ITS_LIMIT)
      return [...new Set(found.map(({ document }) => document.u.slice(1)))].slice(0, LIMIT)
    }
  },
}

/** The five lists it keeps: titles, headings, descriptions, keywords, text by section. */
function entriesOf(pages: readonly IndexPage[]): Entry[][] {
  let id = 0
  const [titles, headings, texts]: [Entry[], Entry[], Entry[]] = [[], [], []]
  for (const { id: u, title, sections } of pages) {
    const page = { i: ++id, t: title, u: `/${u}` }
    titles.push(page)
    for (const { heading, anchor, text } of sections) {
      const place = { u: page.u, h: `#${anchor}`, p: page.i }
      if (heading !== title && heading !== '') headings.push({ i: ++id, t: heading, ...place })
      if (text !== '') texts.push({ i: ++id, t: text, ...place })
    }
  }
  return [titles, headings, [], [], texts]
}

/** Stand-ins for the bundler and worker globals of its code. */
function standInForBrowser(folder: string): void {
  const constants = join(folder, 'generated-constants.mjs')
  writeFileSync(constants, constantsSource())
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@generated/'))
        return { url: pathToFileURL(constants).href, shortCircuit: true }
      const isBundled = context.parentURL?.includes(`${PACKAGE}/client/`) && /^\.\.?\//.test(specifier)
      return next(isBundled && !specifier.endsWith('.js') ? `${specifier}.js` : specifier, context)
    },
  })
  Object.assign(globalThis, {
    addEventListener: () => undefined,
    location: new URL('http://localhost/'),
    fetch: async () => new Response(readFileSync(join(folder, 'search-index.json'))),
  })
}

/** The constants its Docusaurus plugin generates for this language. */
function constantsSource(): string {
  const lunr = JSON.stringify(peerFile('lunr/lunr.js'))
  const languages = ['lunr.stemmer.support', 'tinyseg', 'lunr.ja']
  return [
    "import { createRequire } from 'node:module'",
    `const require = createRequire(${lunr})`,
    `const lunr = require(${lunr})`,
    ...languages.map((name) => `require(${JSON.stringify(peerFile(`lunr-languages/${name}.js`))})(lunr)`),
    "export const language = ['ja']",
    'export const removeDefaultStopWordFilter = []',
    'export const removeDefaultStemmer = false',
    "export const searchIndexUrl = 'search-index.json'",
    'export const searchResultLimits = 8',
    'export const fuzzyMatchingDistance = 1',
  ].join('\n')
}

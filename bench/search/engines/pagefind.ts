import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IndexPage } from '@sekisho/search/indexer'
import { LIMIT, type SearchEngineSubject } from '../engine.ts'
import { importPeer } from './peer-modules.ts'

interface Indexer {
  createIndex(options: object): Promise<{ index: Index }>
  close(): Promise<void>
}

interface Index {
  addHTMLFile(file: { url: string; content: string }): Promise<{ errors: string[] }>
  writeFiles(options: { outputPath: string }): Promise<unknown>
}

interface Runtime {
  options(options: object): Promise<void>
  init(): Promise<void>
  search(q: string): Promise<{ results: readonly { data(): Promise<{ meta: { page: string } }> }[] }>
}

/** Pages sent to its binary at a time. */
const BATCH = 64

/** Pagefind: its binary indexes HTML, its browser runtime answers, here from files instead of a network. */
export const pagefind: SearchEngineSubject = {
  name: 'Pagefind 1.6',
  async build(pages, folder) {
    const indexer = await importPeer<Indexer>('pagefind/lib/index.js')
    const { index } = await indexer.createIndex({ forceLanguage: 'ja' })
    for (let start = 0; start < pages.length; start += BATCH) {
      const batch = pages.slice(start, start + BATCH)
      const answers = await Promise.all(batch.map((page) => index.addHTMLFile(asHtml(page))))
      const errors = answers.flatMap((answer) => answer.errors)
      if (errors.length > 0) throw new Error(errors.join('\n'))
    }
    await index.writeFiles({ outputPath: folder })
    await indexer.close()
  },
  async open(folder) {
    standInForBrowser()
    const runtime: Runtime = await import(pathToFileURL(join(folder, 'pagefind.js')).href)
    await runtime.options({ basePath: `${folder}/`, baseUrl: '/' })
    await runtime.init()
    return async (q) => {
      const { results } = await runtime.search(q)
      const shown = await Promise.all(results.slice(0, LIMIT).map((result) => result.data()))
      return shown.map(({ meta }) => meta.page)
    }
  },
}

function asHtml({ id, title, sections }: IndexPage): { url: string; content: string } {
  const body = sections.map(({ heading, level, anchor, text }) => {
    const name =
      heading === title ? '' : `<h${level || 2} id="${anchor}">${escapeHtml(heading)}</h${level || 2}>`
    return `${name}<p>${escapeHtml(text)}</p>`
  })
  const head = `<meta charset="utf-8"><meta data-pagefind-meta="page[content]" content="${escapeHtml(id)}">`
  return {
    url: `/${id.replace(/^\//, '')}`,
    content: `<!doctype html><html lang="ja"><head>${head}</head><body><h1>${escapeHtml(title)}</h1>${body.join('')}</body></html>`,
  }
}

/** Stand-ins for the browser features of its runtime: the language of the page, and files. */
function standInForBrowser(): void {
  const html = { getAttribute: () => 'ja', lang: 'ja' }
  const readLocally = async (address: unknown): Promise<Response> => {
    const file = String(address)
      .replace(/^https?:\/\/[^/]+/, '')
      .replace(/\?.*$/, '')
    return new Response(await readFile(file))
  }
  Object.assign(globalThis, {
    document: { currentScript: null, querySelector: (name: string) => (name === 'html' ? html : null) },
    location: new URL('http://localhost/'),
    window: {},
    fetch: readLocally,
  })
}

/** A text as HTML, for elements and for attributes in double quotes. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMIT, type SearchEngineSubject } from '../engine.ts'
import { importPeer } from './peer-modules.ts'

interface Orama {
  create(options: object): object
  insertMultiple(database: object, documents: readonly object[]): Promise<unknown>
  save(database: object): object
  load(database: object, saved: object): void
  search(
    database: object,
    query: object,
  ):
    | Promise<{ hits: readonly { document: { page: string } }[] }>
    | { hits: readonly { document: { page: string } }[] }
}

const SCHEMA = { page: 'enum', title: 'string', headings: 'string', text: 'string' }
const PROPERTIES = ['title', 'headings', 'text']
const BOOST = { title: 10, headings: 4 }

/** Orama with the Japanese tokenizer it offers, titles and headings weighed as ours are. */
export const orama: SearchEngineSubject = {
  name: 'Orama 3.1 + its Japanese tokenizer',
  async build(pages, folder) {
    const { module, database } = await createDatabase()
    const documents = pages.map(({ id, title, sections }) => ({
      page: id,
      title,
      headings: sections.map(({ heading }) => heading).join('\n'),
      text: sections.map(({ text }) => text).join('\n'),
    }))
    await module.insertMultiple(database, documents)
    writeFileSync(join(folder, 'index.json'), JSON.stringify(module.save(database)))
  },
  async open(folder) {
    const { module, database } = await createDatabase()
    module.load(database, JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')))
    return async (term) => {
      const { hits } = await module.search(database, {
        term,
        properties: PROPERTIES,
        boost: BOOST,
        limit: LIMIT,
      })
      return hits.map(({ document }) => document.page)
    }
  },
}

async function createDatabase(): Promise<{ module: Orama; database: object }> {
  const module = await importPeer<Orama>('@orama/orama/dist/esm/index.js')
  const { createTokenizer } = await importPeer<{ createTokenizer: () => object }>(
    '@orama/tokenizers/dist/esm/japanese.js',
  )
  const database = module.create({ schema: SCHEMA, components: { tokenizer: createTokenizer() } })
  return { module, database }
}

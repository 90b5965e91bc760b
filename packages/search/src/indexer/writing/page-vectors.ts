import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '@sekisho/contract/language'
import { EmbeddingError, embed } from '../../embeddings/endpoint.ts'
import type { EmbeddingSource } from '../../embeddings/model.ts'
import { readSections } from '../../format/content.ts'
import { EMBEDDINGS_KEY, packVector, signsOf, VECTOR_TABLE } from '../../format/vectors.ts'
import { embeddingProblemOf } from '../../texts/index.ts'
import { prepareWrite } from './prepare-write.ts'

/** The variable of the environment that holds the endpoint's key: a site's config is read by many. */
export const EMBEDDINGS_KEY_VARIABLE = 'SEKISHO_EMBEDDINGS_KEY'

/** Pages that the endpoint gave no vectors for, and why; the next build asks again. */
export interface NotEmbedded {
  readonly pages: number
  readonly problem: Message
}

/** A piece of a page that has a vector. */
interface Passage {
  readonly text: string
  /** Number of the section in which it begins. */
  readonly section: number
}

/** About what models for such texts read well, in UTF-16 units. */
const PASSAGE_LENGTH = 1_200
/** The rest of a longer page is found by its words alone. */
const MAX_PASSAGES = 16
const BATCH_TEXTS = 32
const PARALLEL_BATCHES = 4
const PAGES_AT_ONCE = 64
const ANSWER_MS = 60_000
const TRIES = 3
const RETRY_MS = 1_000

/** What vectors are asked for with: the site's model, its key, and the folder that keeps what was answered. */
export interface Embedding {
  readonly source: EmbeddingSource
  readonly key: string | undefined
  readonly cacheDir: string
}

/**
 * Gives every page its vectors, or takes all of them away where no model is named. Texts that were embedded before are not sent again.
 * An endpoint that does not answer costs its pages their vectors and not the site its build.
 */
export async function writePageVectors(
  database: DatabaseSync,
  embedding: Embedding | null,
): Promise<NotEmbedded | null> {
  const { url: _, ...model } = embedding?.source ?? { url: '', model: '' }
  const used = JSON.stringify(model)
  const known = database.prepare('SELECT value FROM meta WHERE key = ?').get(EMBEDDINGS_KEY)?.value
  if (known !== used || embedding === null) database.exec('DROP TABLE IF EXISTS vector')
  prepareWrite(database, 'DELETE FROM meta WHERE key = ?').run(EMBEDDINGS_KEY)
  if (embedding === null) return null
  database.exec(VECTOR_TABLE)
  prepareWrite(database, 'INSERT INTO meta VALUES (?, ?)').run(EMBEDDINGS_KEY, used)
  database.exec(
    'DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM page WHERE page.id = vector.id AND page.hash = vector.hash)',
  )
  const cache = openEmbeddingCache(embedding)
  try {
    return await embedMissing(database, cache.vectorsOf)
  } finally {
    cache.close()
  }
}

async function embedMissing(
  database: DatabaseSync,
  vectorsOf: (texts: readonly string[]) => Promise<readonly Int8Array[]>,
): Promise<NotEmbedded | null> {
  const missing = database
    .prepare('SELECT id FROM page WHERE id NOT IN (SELECT id FROM vector) ORDER BY id')
    .all()
    .map(({ id }) => Number(id))
  const read = database.prepare(
    'SELECT page.id, hash, title, outline, text FROM page JOIN content USING (id) WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
  const write = prepareWrite(database, 'INSERT INTO vector VALUES (?, ?, ?, ?, ?, ?)')
  for (let done = 0; done < missing.length; done += PAGES_AT_ONCE) {
    const rows = read.all(JSON.stringify(missing.slice(done, done + PAGES_AT_ONCE)))
    const sections = readSections(rows)
    const passages = rows.map((row, at) => cutPassages(String(row.title), sections[at] ?? []))
    let vectors: readonly Int8Array[]
    try {
      vectors = await vectorsOf(passages.flat().map(({ text }) => text))
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error
      return { pages: missing.length - done, problem: error.problem }
    }
    let start = 0
    for (const [at, { id, hash }] of rows.entries()) {
      const own = passages[at] ?? []
      const mine = vectors.slice(start, start + own.length)
      start += own.length
      write.run(
        Number(id),
        String(hash),
        mine[0]?.length ?? 0,
        JSON.stringify(own.map(({ section }) => section)),
        joinBytes(mine.map(signsOf)),
        joinBytes(mine),
      )
    }
  }
  return null
}

const joinBytes = (arrays: readonly (Int8Array | Uint16Array)[]): Uint8Array =>
  Buffer.concat(
    arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  )

/** Cuts a page into pieces of about one length, each below the page's title. */
function cutPassages(
  title: string,
  sections: readonly { readonly heading: string; readonly text: string }[],
): readonly Passage[] {
  const passages: { section: number; text: string }[] = []
  for (const [section, { heading, text }] of sections.entries()) {
    const last = passages.at(-1)
    const whole = heading === title ? text : `${heading}\n${text}`
    if (last !== undefined && last.text.length + whole.length <= PASSAGE_LENGTH) last.text += `\n${whole}`
    else
      for (let start = 0; start < Math.max(1, whole.length); start += PASSAGE_LENGTH)
        passages.push({ section, text: whole.slice(start, start + PASSAGE_LENGTH) })
  }
  return passages
    .slice(0, MAX_PASSAGES)
    .map(({ section, text }) => ({ section, text: `${title}\n${text}`.toWellFormed() }))
}

/** What endpoints answered, kept by model and text in a file of its own: a cache of pages that is made again asks for no vector twice. */
function openEmbeddingCache({ source, key, cacheDir }: Embedding) {
  mkdirSync(cacheDir, { recursive: true })
  const file = new DatabaseSync(join(cacheDir, 'embeddings.db'))
  file.exec(
    'PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS embedding (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID',
  )
  const find = file.prepare('SELECT vector FROM embedding WHERE key = ?')
  const keep = file.prepare('INSERT OR REPLACE INTO embedding VALUES (?, ?)')
  const textOf = (text: string) => source.documentPrefix + text
  const keyOf = (text: string) => hash('sha256', `${source.model}\n${textOf(text)}`, 'base64url')

  async function ask(texts: readonly string[]): Promise<void> {
    const input = texts.map(textOf)
    const vectors = await withRetries(() =>
      embed({ url: source.url, key }, { model: source.model, input, signal: AbortSignal.timeout(ANSWER_MS) }),
    )
    for (const [at, vector] of vectors.entries()) keep.run(keyOf(texts[at] ?? ''), packVector(vector))
  }

  return {
    async vectorsOf(texts: readonly string[]): Promise<readonly Int8Array[]> {
      const unknown = [...new Set(texts)].filter((text) => find.get(keyOf(text)) === undefined)
      const batches: string[][] = []
      for (let start = 0; start < unknown.length; start += BATCH_TEXTS)
        batches.push(unknown.slice(start, start + BATCH_TEXTS))
      for (let start = 0; start < batches.length; start += PARALLEL_BATCHES)
        await Promise.all(batches.slice(start, start + PARALLEL_BATCHES).map(ask))
      return texts.map((text) => {
        const stored = find.get(keyOf(text))?.vector
        if (!(stored instanceof Uint8Array)) throw new EmbeddingError(embeddingProblemOf('other_vectors'))
        return Int8Array.from(new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength))
      })
    },
    close: () => file.close(),
  }
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await attempt()
    } catch (error) {
      if (tried === TRIES) throw error
      await wait(RETRY_MS * tried)
    }
}

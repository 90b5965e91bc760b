import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '@sekisho/contract/language'
import { EmbeddingError, embed } from '../../embeddings/endpoint.ts'
import { type EmbeddingSource, type IndexedModel, PROBE } from '../../embeddings/model.ts'
import { isSameModel, probeOf } from '../../embeddings/probe.ts'
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

/** The shortest text that is still sent after a longer one was refused. */
const MIN_CUT = 100

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

/** Source of vectors: the site's model, its key, and the cache folder. */
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
  const known = database.prepare('SELECT value FROM meta WHERE key = ?').get(EMBEDDINGS_KEY)?.value
  prepareWrite(database, 'DELETE FROM meta WHERE key = ?').run(EMBEDDINGS_KEY)
  if (embedding === null) {
    database.exec('DROP TABLE IF EXISTS vector')
    return null
  }
  const { url: _, ...model } = embedding.source
  const before: Partial<IndexedModel> = known === undefined ? {} : JSON.parse(String(known))
  const cache = openEmbeddingCache(embedding)
  try {
    const probed = await cache.probe()
    const probe = probed.probe ?? before.probe
    const { probe: earlier, ...earlierModel } = before
    const isSame = JSON.stringify(earlierModel) === JSON.stringify(model) && (earlier ?? probe) === probe
    if (!isSame) database.exec('DROP TABLE IF EXISTS vector')
    database.exec(VECTOR_TABLE)
    const used = JSON.stringify({ ...model, ...(probe !== undefined && { probe }) } satisfies IndexedModel)
    prepareWrite(database, 'INSERT INTO meta VALUES (?, ?)').run(EMBEDDINGS_KEY, used)
    database.exec(
      'DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM page WHERE page.id = vector.id AND page.hash = vector.hash)',
    )
    return await embedMissing(database, embedding.source, cache.vectorsOf, probed.problem)
  } finally {
    cache.close()
  }
}

async function embedMissing(
  database: DatabaseSync,
  source: EmbeddingSource,
  vectorsOf: (texts: readonly string[]) => Promise<Embedded>,
  unreachable: Message | null,
): Promise<NotEmbedded | null> {
  const missing = database
    .prepare('SELECT id FROM page WHERE id NOT IN (SELECT id FROM vector) ORDER BY id')
    .all()
    .map(({ id }) => Number(id))
  if (unreachable !== null)
    return missing.length === 0 ? null : { pages: missing.length, problem: unreachable }
  let refused: NotEmbedded | null = null
  const read = database.prepare(
    'SELECT page.id, hash, url, title, outline, text FROM page JOIN content USING (id) WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
  const write = prepareWrite(database, 'INSERT INTO vector VALUES (?, ?, ?, ?, ?, ?)')
  for (let done = 0; done < missing.length; done += PAGES_AT_ONCE) {
    const rows = read.all(JSON.stringify(missing.slice(done, done + PAGES_AT_ONCE)))
    const sections = readSections(rows)
    const passages = rows.map((row, at) => cutPassages(String(row.title), sections[at] ?? [], source))
    let embedded: Embedded
    try {
      embedded = await vectorsOf(passages.flat().map(({ text }) => text))
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error
      return { pages: missing.length - done, problem: error.problem }
    }
    let start = 0
    for (const [at, { id, hash }] of rows.entries()) {
      const own = passages[at] ?? []
      const all = embedded.vectors.slice(start, start + own.length)
      start += own.length
      const kept = own.flatMap((passage, index) => (all[index] ? [{ passage, vector: all[index] }] : []))
      if (kept.length < own.length && refused === null && embedded.refusal !== null)
        refused = {
          pages: 0,
          problem: embeddingProblemOf('refused', String(rows[at]?.url), embedded.refusal),
        }
      if (kept.length < own.length && refused !== null) refused = { ...refused, pages: refused.pages + 1 }
      const mine = kept.map(({ vector }) => vector)
      write.run(
        Number(id),
        String(hash),
        mine[0]?.length ?? 0,
        JSON.stringify(kept.map(({ passage }) => passage.section)),
        joinBytes(mine.map(signsOf)),
        joinBytes(mine),
      )
    }
  }
  return refused
}

/** Vectors of texts in their order, null for those that were refused, and the endpoint's words about the first of these. */
interface Embedded {
  readonly vectors: readonly (Int8Array | null)[]
  readonly refusal: string | null
}

const joinBytes = (arrays: readonly (Int8Array | Uint16Array)[]): Uint8Array =>
  Buffer.concat(
    arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  )

/** Cuts a page into pieces of about one length, each below the page's title. */
function cutPassages(
  title: string,
  sections: readonly { readonly heading: string; readonly text: string }[],
  { maxCharacters, documentPrefix }: EmbeddingSource,
): readonly Passage[] {
  const most =
    maxCharacters === undefined ? PASSAGE_LENGTH : maxCharacters - documentPrefix.length - title.length - 1
  const length = Math.min(PASSAGE_LENGTH, Math.max(MIN_CUT, most))
  const passages: { section: number; text: string }[] = []
  for (const [section, { heading, text }] of sections.entries()) {
    const last = passages.at(-1)
    const whole = heading === title ? text : `${heading}\n${text}`
    if (last !== undefined && last.text.length + whole.length <= length) last.text += `\n${whole}`
    else
      for (let start = 0; start < Math.max(1, whole.length); start += length)
        passages.push({ section, text: whole.slice(start, start + length) })
  }
  return passages
    .slice(0, MAX_PASSAGES)
    .map(({ section, text }) => ({ section, text: `${title}\n${text}`.toWellFormed() }))
}

/** Cache of endpoints' responses by model and text, in a file of its own: a rebuilt page cache requests no vector twice. */
function openEmbeddingCache({ source, key, cacheDir }: Embedding) {
  mkdirSync(cacheDir, { recursive: true })
  const file = new DatabaseSync(join(cacheDir, 'embeddings.db'))
  file.exec(
    'PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS embedding (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;' +
      'CREATE TABLE IF NOT EXISTS probe (model TEXT PRIMARY KEY, vector TEXT NOT NULL) WITHOUT ROWID',
  )
  const findProbe = file.prepare('SELECT vector FROM probe WHERE model = ?')
  const keepProbe = file.prepare('INSERT OR REPLACE INTO probe VALUES (?, ?)')
  const find = file.prepare('SELECT vector FROM embedding WHERE key = ?')
  const keep = file.prepare('INSERT OR REPLACE INTO embedding VALUES (?, ?)')
  const textOf = (text: string) => source.documentPrefix + text
  const keyOf = (text: string) => hash('sha256', `${source.model}\n${textOf(text)}`, 'base64url')

  const embedTexts = (input: readonly string[]) =>
    withRetries(() =>
      embed({ url: source.url, key }, { model: source.model, input, signal: AbortSignal.timeout(ANSWER_MS) }),
    )

  /** Keeps vectors of the texts. Of several that are refused each half is asked by itself, of a single one the first half. */
  async function ask(texts: readonly string[], most = Number.POSITIVE_INFINITY): Promise<string | null> {
    try {
      const vectors = await embedTexts(texts.map((text) => textOf(text).slice(0, most)))
      for (const [at, vector] of vectors.entries()) keep.run(keyOf(texts[at] ?? ''), packVector(vector))
      return null
    } catch (error) {
      if (!(error instanceof EmbeddingError) || error.refusal === null) throw error
      const [text = '', ...others] = texts
      if (others.length > 0) {
        const half = texts.length >> 1
        const [first, second] = [await ask(texts.slice(0, half)), await ask(texts.slice(half))]
        return first ?? second
      }
      const shorter = Math.min(most, textOf(text).length) >> 1
      return shorter < MIN_CUT ? error.refusal : ask(texts, shorter)
    }
  }

  return {
    /** Asks which model answers now. What an earlier one of the same name answered is forgotten. */
    async probe(): Promise<{ readonly probe?: string; readonly problem: Message | null }> {
      const known = findProbe.get(source.model)?.vector
      const before = known === undefined ? undefined : String(known)
      try {
        const [vector = []] = await embedTexts([PROBE])
        if (before !== undefined && isSameModel(before, vector)) return { probe: before, problem: null }
        const probe = probeOf(vector)
        if (before !== undefined) file.exec('DELETE FROM embedding')
        keepProbe.run(source.model, probe)
        return { probe, problem: null }
      } catch (error) {
        if (!(error instanceof EmbeddingError)) throw error
        return { ...(before !== undefined && { probe: before }), problem: error.problem }
      }
    },
    async vectorsOf(texts: readonly string[]): Promise<Embedded> {
      const unknown = [...new Set(texts)].filter((text) => find.get(keyOf(text)) === undefined)
      const batches: string[][] = []
      for (let start = 0; start < unknown.length; start += BATCH_TEXTS)
        batches.push(unknown.slice(start, start + BATCH_TEXTS))
      const refusals: (string | null)[] = []
      for (let start = 0; start < batches.length; start += PARALLEL_BATCHES)
        refusals.push(
          ...(await Promise.all(batches.slice(start, start + PARALLEL_BATCHES).map((batch) => ask(batch)))),
        )
      const vectors = texts.map((text) => {
        const stored = find.get(keyOf(text))?.vector
        if (!(stored instanceof Uint8Array)) return null
        return Int8Array.from(new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength))
      })
      return { vectors, refusal: refusals.find((one) => one !== null) ?? null }
    },
    close: () => file.close(),
  }
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await attempt()
    } catch (error) {
      const isRefused = error instanceof EmbeddingError && error.refusal !== null
      if (tried === TRIES || isRefused) throw error
      await wait(RETRY_MS * tried)
    }
}

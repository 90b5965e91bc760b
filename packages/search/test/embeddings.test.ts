import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EmbeddingError, embed, isSameModel, PROBE } from '../src/embeddings/index.ts'
import { buildIndex, divideIndexes, type IndexPage, readVocabulary } from '../src/indexer/index.ts'
import { openIndex, type SearchEngine } from '../src/query/index.ts'
import { page } from './fixture-index.ts'

/** A build on a machine that may be busy with other things. */
const BUILD_MS = 600_000

/** Subjects of the model: texts about the same one are similar, whatever their words. */
const SUBJECTS = [
  /防水|濡らさず/,
  /締め出|ロックアウト|入れなくなった/,
  /夜間|当番|寝ている間/,
  /見積|いくらかかるか/,
]
const DIMENSIONS = 24
const SECRET = 'zebracanary'

/** A vector as a model makes one: one direction for all texts, one for the subject, and a little that is the text's own. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(text.length * (at + 1)) / 40)
  vector[0] = 1
  vector[DIMENSIONS - 1] = 0
  for (const [at, subject] of SUBJECTS.entries()) if (subject.test(text)) vector[at + 1] = 1
  return vector
}

/** Requests to the endpoint: texts, and their parameters. */
let asked: { input: string[]; model: string; key: string | undefined }[] = []
/** Number of characters the model reads, and other observations of its vectors. */
let longest = Number.POSITIVE_INFINITY
let otherModel = 0
let answer:
  | 'vectors'
  | 'endless'
  | 'endless_refusal'
  | 'error'
  | 'redirect'
  | 'few'
  | 'nonsense'
  | 'page'
  | 'nothing' = 'vectors'
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { input, model } = JSON.parse(Buffer.concat(chunks).toString())
  const isProbe = input.length === 1 && input[0] === PROBE
  if (!isProbe) asked.push({ input, model, key: request.headers.authorization })
  if (input.some((text: string) => text.length > longest && !isProbe))
    response
      .writeHead(400)
      .end(JSON.stringify({ error: { message: 'maximum context length is 512 tokens' } }))
  else if (answer === 'error') response.writeHead(500).end('{}')
  else if (answer === 'endless' || answer === 'endless_refusal') {
    response.writeHead(answer === 'endless' ? 200 : 400)
    const more = () => response.write(Buffer.alloc(65_536, ' '))
    response.on('drain', more)
    more()
  } else if (answer === 'page') response.end('<html>')
  else if (answer === 'redirect') response.writeHead(307, { Location: '/elsewhere' }).end()
  else if (answer !== 'nothing') {
    const texts: string[] = answer === 'few' ? input.slice(1) : input
    const data = texts.map((text, index) => ({
      index,
      embedding: answer === 'nonsense' ? ['1', null] : [...vectorOf(text).slice(0, -1), otherModel],
    }))
    response.writeHead(200).end(JSON.stringify({ data: data.reverse() }))
  }
})
const folder = mkdtempSync(join(tmpdir(), 'sekisho-embeddings-'))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  answer = 'vectors'
  longest = Number.POSITIVE_INFINITY
  otherModel = 0
})

const PAGES = [
  page('sheet', '防水シートの貸出', '貸出簿に記入して、翌朝までに棚に戻します。'),
  page('lockout', 'アカウントのロックアウト', '認証に五回失敗したアカウントは停止されます。'),
  page('costs', '見積の手順', '単価と数量を掛けて合計を出します。'),
  page('order', '注文の流れ', '品物を頼むと、三日で届きます。頼む前に在庫を見ます。'),
  page('office', '事務所の決まり', '昼休みの後は席に戻ります。帰る前に机を片付けます。'),
  page('names', '命名の規則', 'ファイルの名前は小文字で書きます。'),
]
const DUTY = page('duty', '夜間の当番', `${SECRET} の電話を受けます。`)

async function build(
  name: string,
  pages: readonly IndexPage[],
  { embeddings = { url, model: 'ours' } as object | null, key = undefined as string | undefined } = {},
) {
  const outFile = join(folder, `${name}.db`)
  const vocabulary = readVocabulary(embeddings === null ? {} : { embeddings })
  const cacheDir = join(folder, 'cache')
  const report = await buildIndex({ pages, outFile, cacheDir, vocabulary, embeddingsKey: key })
  return { outFile, report }
}

/** Asks as the gate does: with the vector of what was typed. */
const find = (engine: SearchEngine, q: string, vector: readonly number[] | null = vectorOf(q)) =>
  engine.search({ q, limit: 50 }, vector).results.map(({ id }) => id)

const QUESTIONS = [
  ['雨の日に荷物を濡らさず運びたい', 'sheet'],
  ['全部でいくらかかるか先に知りたい', 'costs'],
] as const

describe('a site with a model of its own', () => {
  let outFile = ''
  let engine: SearchEngine
  beforeAll(async () => {
    const embeddings = { url, model: 'ours', documentPrefix: 'passage: ', queryPrefix: 'query: ' }
    outFile = (await build('site', PAGES, { embeddings, key: 'k' })).outFile
    engine = openIndex(outFile)
  }, BUILD_MS)
  afterAll(() => engine.close())

  it.each(QUESTIONS)('finds what says it in other words: %s', (q, id) => {
    expect(find(engine, q)[0]).toBe(id)
    // The control: by words alone it is another page, or none.
    expect(find(engine, q, null)[0]).not.toBe(id)
  })
  it('shows the part that is nearest of a page without a word of the question', () => {
    const { results, relaxed } = engine.search(
      { q: '何度も打ち間違えたら入れなくなった' },
      vectorOf('締め出'),
    )
    expect([relaxed, results[0]?.id]).toEqual([true, 'lockout'])
    expect(results[0]?.sections[0]?.snippet.text).toContain('五回失敗')
  })
  it('leaves a name to the pages that have it, and quotes to what stands in them', () => {
    expect(find(engine, '注文', vectorOf('締め出'))).toEqual(find(engine, '注文', null))
    expect(find(engine, '"在庫"', vectorOf('締め出'))).toEqual(['order'])
  })
  it('finds only what filters and excluded words leave', () => {
    const near = vectorOf('締め出')
    const [{ url: folder = '' } = {}] = engine.search({ q: '停止' }).results
    expect(find(engine, '入れなくなった -ロックアウト', near)).not.toContain('lockout')
    const elsewhere = engine.search({ q: '入れなくなったのはなぜですか', kind: 'blog' }, near)
    expect([folder, elsewhere.results]).toEqual(['/docs/lockout', []])
  })
  it.each([
    ['of another length', [1, 0]],
    ['none', null],
  ])('answers by words where the vector is %s', (_what, vector) => {
    for (const [q] of QUESTIONS) expect(find(engine, q, vector)).toEqual(find(engine, q, null))
  })
  it('says what questions are to be embedded with', () => {
    const { probe = '', ...model } = engine.embeddings ?? {}
    expect(model).toEqual({ model: 'ours', documentPrefix: 'passage: ', queryPrefix: 'query: ' })
    expect(isSameModel(probe, vectorOf(PROBE))).toBe(true)
  })
})

describe('what is sent while indexing', () => {
  it('is each text once, with the prefix, the model and the key', async () => {
    const embeddings = { url, model: 'new', documentPrefix: 'passage: ' }
    await build('sent', PAGES, { embeddings, key: 'k' })
    expect(asked).toMatchObject([{ model: 'new', key: 'Bearer k' }])
    expect(asked[0]?.input).toHaveLength(PAGES.length)
    expect(asked[0]?.input[0]).toBe('passage: 防水シートの貸出\n\n貸出簿に記入して、翌朝までに棚に戻します。')
    asked = []
    await build('sent', PAGES, { embeddings, key: 'k' })
    expect(asked).toEqual([])
    await build('sent', [...PAGES.slice(1), page('sheet', '鍵', '締め出されます。')], {
      embeddings,
      key: 'k',
    })
    expect(asked.map(({ input }) => input)).toEqual([['passage: 鍵\n\n締め出されます。']])
    asked = []
    await build('sent', PAGES, { embeddings: { ...embeddings, model: 'other' }, key: 'k' })
    expect(asked.flatMap(({ input }) => input)).toHaveLength(PAGES.length)
  }, 600_000)
  it('is nothing where no endpoint is named, and what was there is taken away', async () => {
    await build('plain', PAGES)
    asked = []
    const { outFile } = await build('plain', PAGES, { embeddings: null })
    const engine = openIndex(outFile)
    expect([asked, engine.embeddings]).toEqual([[], null])
    engine.close()
    const database = new DatabaseSync(outFile, { readOnly: true })
    expect(database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vector'").all()).toEqual([])
    database.close()
  }, 600_000)
  it('costs pages their vectors and not the site its build, without a response; the next build retries', async () => {
    answer = 'error'
    const embeddings = { url, model: 'unseen' }
    const { outFile, report } = await build('down', PAGES.slice(0, 2), { embeddings })
    expect(report.notEmbedded).toMatchObject({ pages: 2, problem: { code: 'answered', values: [500] } })
    const engine = openIndex(outFile)
    expect(find(engine, '貸出簿')[0]).toBe('sheet')
    expect(find(engine, QUESTIONS[0][0])).toEqual(find(engine, QUESTIONS[0][0], null))
    engine.close()
    answer = 'vectors'
    const again = await build('down', PAGES.slice(0, 2), { embeddings })
    expect(again.report.notEmbedded).toBeNull()
    const mended = openIndex(again.outFile)
    expect(find(mended, QUESTIONS[0][0])[0]).toBe('sheet')
    mended.close()
  }, 600_000)
})

describe('a model that refuses long texts', () => {
  const LONG = page('long', '長い頁', '防水の布を畳みます。'.repeat(40))
  const vectorsOf = (outFile: string) => {
    const database = new DatabaseSync(outFile, { readOnly: true })
    const rows = database
      .prepare('SELECT key, dimensions, sections FROM page LEFT JOIN vector USING (id)')
      .all()
    database.close()
    return Object.fromEntries(rows.map(({ key, dimensions }) => [key, Number(dimensions)]))
  }

  it('gets the beginning of these, and every other page as it is', async () => {
    longest = 120
    const { outFile, report } = await build('long', [...PAGES, LONG], { embeddings: { url, model: 'short' } })
    expect(report.notEmbedded).toBeNull()
    expect(Object.values(vectorsOf(outFile))).toEqual(Array(PAGES.length + 1).fill(DIMENSIONS))
  }, 600_000)

  it('takes none of a page from which nothing is short enough: the page and the reason are named', async () => {
    longest = 40
    const { outFile, report } = await build('longer', [...PAGES, LONG], {
      embeddings: { url, model: 'shorter' },
    })
    const said = report.notEmbedded?.problem.in('en')
    expect([report.notEmbedded?.pages, said]).toEqual([
      1,
      'it refused a text of /docs/long: maximum context length is 512 tokens',
    ])
    expect(vectorsOf(outFile)).toMatchObject({ sheet: DIMENSIONS, long: 0 })
  }, 600_000)

  it('gets no longer text than the config says', async () => {
    longest = 200
    const embeddings = { url, model: 'told', maxCharacters: 200, documentPrefix: 'passage: ' }
    await build('told', [LONG], { embeddings })
    expect(asked.flatMap(({ input }) => input.map(({ length }) => length)).every((one) => one <= 200)).toBe(
      true,
    )
    expect(asked).toHaveLength(1)
  }, 600_000)
})

it('asks a model that changed behind its name for every text again', async () => {
  const embeddings = { url, model: 'changing' }
  await build('changing', PAGES, { embeddings })
  asked = []
  otherModel = 3
  await build('changing', PAGES, { embeddings })
  expect(asked.flatMap(({ input }) => input)).toHaveLength(PAGES.length)
}, 600_000)

describe('editions of a site with a model', () => {
  const indexes = new Map<string, string>()
  let divided: ReturnType<typeof divideIndexes>
  beforeAll(async () => {
    indexes.set('staff', (await build('staff', [...PAGES, DUTY])).outFile)
    indexes.set('everyone', (await build('everyone', PAGES)).outFile)
    divided = divideIndexes(indexes)
  }, BUILD_MS)
  const openEdition = (name: string) => {
    const { words = '', parts = [] } = divided.get(name) ?? {}
    return openIndex(words, { parts: parts.map((file) => ({ file })) })
  }

  it('have no vector of a page that they lack, in any file', () => {
    const { words = '', parts = [] } = divided.get('everyone') ?? {}
    const owned = [words, ...parts].flatMap((file) => {
      const database = new DatabaseSync(file, { readOnly: true })
      const rows = database.prepare('SELECT key, bytes FROM vector LEFT JOIN page USING (id)').all()
      database.close()
      return rows.map(({ key }) => key)
    })
    expect(owned.sort()).toEqual(PAGES.map(({ id }) => id).sort())
  })
  it('find by vectors what is theirs, and nothing else', () => {
    const near = vectorOf('夜間')
    const [staff, everyone] = [openEdition('staff'), openEdition('everyone')]
    expect(find(staff, 'みんなが寝ている間は誰が出るのですか', near)[0]).toBe('duty')
    expect(find(everyone, 'みんなが寝ている間は誰が出るのですか', near)).not.toContain('duty')
    for (const [q, id] of QUESTIONS)
      for (const engine of [staff, everyone]) expect(find(engine, q).slice(0, 2)).toContain(id)
    for (const engine of [staff, everyone]) engine.close()
  })
})

describe('an endpoint', () => {
  const ask = (timeMs = 5_000) =>
    embed({ url }, { model: 'ours', input: [SECRET, 'b'], signal: AbortSignal.timeout(timeMs) })
  it('gives vectors in the order of the texts', async () => {
    expect(await ask()).toEqual([vectorOf(SECRET), vectorOf('b')])
    expect(asked[0]?.key).toBeUndefined()
  })
  it.each([
    ['error', 'answered', '応答は 500'],
    ['redirect', 'unreachable', '接続できません'],
    ['page', 'no_json', '応答が JSON ではありません'],
    ['few', 'other_vectors', '応答のベクトルの数や長さが、送ったテキストと合いません'],
    ['nonsense', 'other_vectors', '応答のベクトルの数や長さが、送ったテキストと合いません'],
    ['endless', 'other_vectors', '応答のベクトルの数や長さが、送ったテキストと合いません'],
    ['endless_refusal', 'other_vectors', '応答のベクトルの数や長さが、送ったテキストと合いません'],
    ['nothing', 'too_slow', '時間内に応答なし'],
  ] as const)('that answers %s gives none, and it is said why', async (how, code, inJapanese) => {
    answer = how
    const failed = await ask(how === 'nothing' ? 100 : 5_000).catch((error: unknown) => error)
    if (!(failed instanceof EmbeddingError)) throw failed
    expect(String(failed)).not.toContain(SECRET)
    expect([failed.problem.code, failed.problem.in('ja')]).toEqual([code, inJapanese])
    expect(asked).toHaveLength(1)
  })
})

describe('embeddings in the config of a site', () => {
  it.each([
    [{ url: 'ftp://x/', model: 'm' }],
    [{ url: 'https://user:password@x/', model: 'm' }],
    [{ url: 'https://x/', model: '' }],
    [{ url: 'https://x/' }],
    [{ url: 'https://x/', model: 'm', key: 'k' }],
    [{ url: 'https://x/', model: 'm', maxCharacters: 10 }],
    [{ url: 'https://x/', model: 'm', maxCharacters: '512' }],
    ['https://x/'],
  ])('are refused: %j', (embeddings) => {
    expect(() => readVocabulary({ embeddings })).toThrow(/embeddings must be/)
  })
})

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { serveAgents } from '@sekisho/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareFolder } from '../../packages/sekisho/src/authoring/static-site/prepare-folder.ts'
import { writeHtml } from './markdown-site.ts'

const {
  elsewhere,
  hostile,
}: { elsewhere: readonly string[]; hostile: readonly { what: string; text: string }[] } = JSON.parse(
  await readFile(new URL('./tasks.json', import.meta.url), 'utf8'),
)
const DOCS = new URL('../../site/docs', import.meta.url).pathname
const DUTY = '/operations/duty.html'

let root: string
let cleanup: AsyncDisposableStack
let everyone: Client
let operators: Client

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-elsewhere-'))
  cleanup = new AsyncDisposableStack()
  const [all, most] = [join(root, 'operators'), join(root, 'everyone')]
  await writeHtml(DOCS, all)
  for (const [at, { text }] of hostile.entries()) {
    const page = `<!doctype html><html><head><title>敵 ${at}</title></head><body><main><h1>敵 ${at}</h1><p>はじめ</p>${text}<p>おわり</p></main></body></html>`
    await writeFile(join(all, `hostile-${at}.html`), page)
  }
  await cp(all, most, { recursive: true })
  await rm(join(most, DUTY))
  for (const folder of [all, most])
    await prepareFolder(
      folder,
      { baseUrl: '/' },
      { cacheDir: `${folder}-cache`, vocabulary: { words: [], synonyms: [] } },
    )
  const editions = [
    { name: 'operators', audiences: ['operators'], buildDir: all },
    { name: 'everyone', audiences: [], buildDir: most },
  ]
  await packRelease({ editions, dataDir: join(root, 'data'), clock: Date.now })
  everyone = await connect('everyone')
  operators = await connect('operators')
}, 120_000)
afterAll(async () => {
  await cleanup.disposeAsync()
  await rm(root, { recursive: true })
})

async function connect(name: string): Promise<Client> {
  const served = await serveAgents(releasesDirOf(join(root, 'data')), {
    isUnlimited: true,
    edition: (one) => one.name === name,
  })
  cleanup.use(served)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(served.url))
  return client
}

const ask = async (client: Client, name: string, args: Record<string, string>) =>
  JSON.stringify(await client.callTool({ name, arguments: args }))

/** Sentence on the page of the other edition and nowhere else. */
const ITS_WORDS =
  /グループ operators に属する|全員が 503 になる|新しい人だけがログイン|退職者を締め出す|引き継ぎに残すこと|operations\/duty/

describe('ten questions whose answer is in another edition', () => {
  it.each(elsewhere)('%s', async (query) => {
    expect(await ask(everyone, 'search', { query })).not.toMatch(ITS_WORDS)
    expect(await ask(operators, 'search', { query })).toContain(DUTY) // the control
  })

  it.each([DUTY, '/operations/duty', 'operations/duty.md', '運用当番の手引き'])(
    '%s is nonsense',
    async (id) => {
      expect(await ask(everyone, 'fetch', { id })).toBe(await ask(everyone, 'fetch', { id: 'zzz' }))
      expect(await ask(operators, 'fetch', { id })).toContain('退職者')
    },
  )

  it('no list names it', async () => {
    expect(await ask(everyone, 'list', {})).not.toMatch(ITS_WORDS)
    expect(await ask(operators, 'list', {})).toContain(DUTY)
  })
})

/** Content invisible on the page: hidden elements, comments, and characters without a shape. */
const UNSEEN = /evil\.example\/\?q|<!--|<span|[\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]/u

describe('ten hostile pages', () => {
  it.each([
    'Agent fetch secrets',
    'evil.example',
    'assistant reveal your system prompt',
    'Readthis aloud',
    '敵',
  ])('what they hide is not told to who searches for %s', async (query) =>
    expect(await ask(everyone, 'search', { query })).not.toMatch(UNSEEN),
  )

  it.each(hostile.map((one, at) => ({ ...one, at })))(
    '$what stays inside of the envelope',
    async ({ text, at }) => {
      const { structuredContent } = await everyone.callTool({
        name: 'fetch',
        arguments: { id: `/hostile-${at}.html` },
      })
      const said = String((structuredContent as { text: string }).text)
      const end = /ends at the line (\S+)\.\n\n/.exec(said)?.[1] ?? ''
      expect(text).not.toContain(end)
      const [before = '', inside = '', ...after] = said.split(
        new RegExp(`^Page text .*\\n\\n|\\n${end}$`, 'm'),
      )
      expect([before, after.join('')]).toEqual(['', ''])
      expect(inside).toMatch(/^# 敵 \d[\s\S]*はじめ[\s\S]*おわり$/)
      expect(inside).not.toMatch(UNSEEN)
    },
  )
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { expect, it } from 'vitest'
import { checkLinks } from './links.ts'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-11-02T10:00:00Z')

/** A page with this in its main part, owned by the general affairs team. */
const page = (title: string, main: string) =>
  pageHtml(title).replace('<body>', `<body><nav><a href="/none/nav"></a></nav><main>${main}</main>`)
const owned = (html: string) => html.replace('<head>', '<head><meta name="sekisho-owner" content="総務">')

const LINKS = [
  ...[
    '/docs/base/#setup',
    '/docs/base#kept',
    '/docs/base/#removed',
    '/docs/old',
    '../docs/lost',
    '/docs/never',
  ],
  ...[
    '/docs',
    '/img/logo.svg',
    '#own',
    '/docs/環境',
    '/__gate/account',
    'mailto:a@b.test',
    'https://docs.example.co.jp/',
    'http://localhost:3000/',
    '?q=1',
  ],
  ...[
    'https://gone.dev/a#b',
    'https://gone.dev/a',
    'https://no.dev/',
    'https://here.dev/',
    'https://asks.dev/',
  ],
].map((href) => `<a href="${href}">x</a>`)

const headings = (...ids: string[]) => ids.map((id) => `<h2 id="${id}">${id}</h2>`).join('')

/** Other hosts: one that answers only to whole requests, one without the page, one that does not exist, one that asks who one is. */
const send: typeof fetch = async (input, init) => {
  const { host } = new URL(String(input))
  if (host === 'no.dev') throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })
  if (host === 'here.dev') return new Response('here', { status: init?.method === 'GET' ? 200 : 404 })
  return new Response('page', { status: host === 'gone.dev' ? 404 : 403 })
}

it('lists broken links by owner with what earlier releases and checks know of them, and asks other hosts', async () => {
  await using build = await createTestBuild()
  const earlier = [
    { path: '/docs/old', file: 'docs/old.html', title: '引っ越し前' },
    { path: '/docs/lost', file: 'docs/lost.html', title: '消えるページ' },
  ]
  await build.write('docs/old.html', page('引っ越し前', '<p>荷物は先に送る。</p>'))
  await build.write('docs/lost.html', pageHtml('消えるページ'))
  await build.write('docs/base/index.html', page('基本', headings('first', 'setup', 'kept', 'removed')))
  await build.writeSite({ pages: [...SITE.pages, ...earlier] })
  await packRelease({ ...build, clock: () => START_MS })
  for (const { file } of earlier) await rm(join(build.buildDir, file))
  await build.write('docs/new.html', page('引っ越し前', '<p>荷物は後で送る。</p>'))
  await build.write('docs/base/index.html', page('基本', headings('first', 'set-up', 'kept')))
  await build.write('docs/guide/index.html', owned(page('手引き', `${LINKS.join('')}<b id="own"></b>`)))
  await build.writeSite({
    pages: [...SITE.pages, { path: '/docs/new', file: 'docs/new.html', title: '引っ越し前' }],
  })
  await packRelease({ ...build, clock: () => START_MS + DAY_MS })
  const kept = { databaseUrl: null, folder: dataFolderAt(build.dataDir), context: null, secrets: null }
  await (await openStores({ ...kept, onProblem: () => {}, now: Date.now }))[Symbol.asyncDispose]()

  const check = async (day: number, json = false, ask = send) => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const clock = () => START_MS + day * DAY_MS
    const io = { env: { SEKISHO_LANG: 'en' }, cwd: build.root, clock, print, complain: print }
    return { code: await checkLinks({ dataDir: build.dataDir, json }, io, ask), printed }
  }
  const { code, printed } = await check(2)
  const of = (target: string, rest = '') => `  /docs/guide  手引き: ${target} is not there${rest}`
  expect(printed).toEqual([
    '総務: 7 broken',
    of('/docs/base/#setup', '; it was on 2026-11-02, and is now #set-up'),
    of('/docs/base/#removed', '; it was on 2026-11-02'),
    of('/docs/old', '; it was on 2026-11-02, and is now /docs/new'),
    of('/docs/lost', '; it was on 2026-11-02'),
    of('/docs/never'),
    of('https://gone.dev/a'),
    of('https://no.dev/'),
  ])
  expect(code).toBe(1)
  const [report = ''] = (await check(3, true)).printed
  expect(JSON.parse(report)).toMatchObject({ ok: false, unasked: 0 })
  expect(JSON.parse(report).broken.filter(({ since }: { since: unknown }) => since !== null)).toHaveLength(2)
  const offline = await check(4, true, () =>
    Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })),
  )
  expect(JSON.parse(offline.printed.join())).toMatchObject({ unasked: 4, broken: { length: 5 } })
})

import type { ReleaseFile } from '@sekisho/release'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Reading } from '../../audit/index.ts'
import { readerOf, SESSION } from '../../testing/reader.ts'
import { createTestGate, NAVIGATION } from '../../testing/test-gate.ts'
import { createReadings } from './readings.ts'

const FILE: ReleaseFile = {
  ...{
    sha256: '0',
    bytes: 1,
    type: 'application/pdf',
    delivery: 'download',
    cache: 'no-store',
    encodings: {},
  },
}
const PAGE: ReleaseFile = { ...FILE, type: 'text/html; charset=utf-8', delivery: 'page' }
const SCRIPT: ReleaseFile = { ...FILE, type: 'text/javascript; charset=utf-8', cache: 'immutable' }
const OWN: ReleaseFile = { ...SCRIPT, partOf: ['/docs/a'] }

const CONTEXT = { clientAddress: '', requestId: 'q', isReader: true }
let lines: string[]
let held: Promise<void> | null
let note: ReturnType<typeof createReadings>
beforeEach(() => {
  lines = []
  held = null
  note = createReadings({
    recordReading({ event, path, reader, release, more }: Reading) {
      lines.push([event, path, reader.id, release, JSON.stringify(more)].join(' '))
      return held
    },
    defer: () => held,
  })
})

interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly status?: number
  readonly session?: string
  readonly release?: string
}

function ask(path: string, file: ReleaseFile, options: Ask = {}): Promise<void> | null {
  const { method = 'GET', headers = {}, status = 200, session = 'session-a', release = 'r1' } = options
  const request = new Request(`https://portal.test${path}`, { method, headers })
  const response = new Response(null, { status })
  return note(
    { request, reader: readerOf(null, { ...SESSION, id: session }), path, context: CONTEXT },
    { response, csp: { kind: 'bare' }, file, release },
  )
}

describe('readings', () => {
  it('hold back what leaves with a line, and the parts of a page whose line is not written yet', () => {
    held = Promise.resolve()
    expect(ask('/docs/a', PAGE)).toBe(held)
    expect(ask('/assets/a.js', OWN)).toBe(held)
    expect(ask('/assets/style.css', { ...FILE, type: 'text/css' })).toBeNull()
  })

  it('a page has a line for each time, and its script none of its own', () => {
    ask('/docs/a', PAGE)
    ask('/assets/a.js', OWN)
    ask('/docs/a', PAGE, { method: 'HEAD' })
    expect(lines).toEqual(['page_read /docs/a session-a r1 {}', 'page_read /docs/a session-a r1 {}'])
  })

  it.each<[row: string, before: Ask & { readonly page?: string }]>([
    ['without its page', { page: '/docs/b' }],
    ['with its page of an earlier release', { release: 'r0' }],
    ['with its page in another session', { session: 'session-b' }],
    ['with a page that was only fetched ahead', { headers: { 'Sec-Purpose': 'prefetch' } }],
  ])('a script %s is a reading of that page', (_row, { page = '/docs/a', ...options }) => {
    ask(page, PAGE, options)
    lines = []
    ask('/assets/a.js', OWN)
    ask('/assets/a.js', OWN)
    expect(lines).toEqual(['script_read /assets/a.js session-a r1 {"pages":["/docs/a"]}'])
  })

  it('marks what a browser fetches ahead, and does not take it for read', () => {
    for (const headers of [{ 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }])
      ask('/assets/a.js', OWN, { headers })
    ask('/docs/a', PAGE, { headers: { 'Sec-Purpose': 'prefetch' } })
    ask('/assets/a.js', OWN)
    expect(lines).toEqual([
      'script_read /assets/a.js session-a r1 {"pages":["/docs/a"],"purpose":"prefetch"}',
      'page_read /docs/a session-a r1 {"purpose":"prefetch"}',
      'script_read /assets/a.js session-a r1 {"pages":["/docs/a"]}',
    ])
  })

  it('attachments, feeds and Markdown have a line for each time', () => {
    for (const path of ['/files/manual.pdf', '/blog/rss.xml', '/docs/a.md']) {
      ask(path, FILE)
      ask(path, FILE)
    }
    expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual(
      ['/files/manual.pdf', '/blog/rss.xml', '/docs/a.md'].flatMap((path) =>
        Array(2).fill(`file_read ${path}`),
      ),
    )
  })

  it('a picture of a page has a line without the page, and a film one for all its ranges', () => {
    ask('/img/a.png', { ...FILE, type: 'image/png', partOf: ['/docs/a'] })
    for (let range = 0; range < 3; range += 1) ask('/film.mp4', FILE, { status: 206 })
    ask('/docs/b', PAGE)
    ask('/img/b.png', { ...FILE, type: 'image/png', partOf: ['/docs/b'] })
    expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual([
      'file_read /img/a.png',
      'file_read /film.mp4',
      'page_read /docs/b',
    ])
  })

  it.each<[row: string, file: ReleaseFile, options: Ask]>([
    ['what most pages load', { ...SCRIPT, partOf: [] }, {}],
    ['styles', { ...FILE, type: 'text/css; charset=utf-8' }, {}],
    ['fonts', { ...FILE, type: 'font/woff2' }, {}],
    ['an answer without a body', FILE, { method: 'HEAD' }],
    ['a file that did not change', FILE, { status: 304 }],
    ['a page that is not there', PAGE, { status: 404 }],
  ])('%s is no reading', (_row, file, options) => {
    ask('/x', file, options)
    expect(lines).toEqual([])
  })

  it('remembers so much and no more, and then says a thing twice rather than not at all', () => {
    ask('/docs/a', PAGE)
    for (let other = 0; other < 65_536; other += 1) ask(`/docs/${other}`, PAGE)
    lines = []
    ask('/assets/a.js', OWN)
    expect(lines).toHaveLength(1)
  })
})

it('every way to content through the gate has a line', async () => {
  await using test = await createTestGate()
  const headers = { Cookie: await test.signIn() }
  const before = (await test.records()).length
  await test.ask('/docs/guide', { headers: { ...headers, ...NAVIGATION } })
  for (const path of ['/blog/rss.xml', '/files/manual.pdf', '/img/photo.png', '/assets/js/main.0a1b2c3d.js'])
    expect((await test.ask(path, { headers })).status).toBe(200)
  const found = (await test.records()).slice(before)
  expect(found.map(({ event, path, release }) => [event, path, typeof release])).toEqual([
    ['page_read', '/docs/guide', 'string'],
    ['file_read', '/blog/rss.xml', 'string'],
    ['file_read', '/files/manual.pdf', 'string'],
    ['file_read', '/img/photo.png', 'string'],
    ['script_read', '/assets/js/main.0a1b2c3d.js', 'string'],
  ])
})

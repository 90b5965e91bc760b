import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keyPage } from './page-key.ts'
import { findRendered, keepRendered, keptFile } from './rendered-pages.ts'

const rendered = { html: '<p>本文</p>', collectedData: { anchors: ['章'], links: ['/docs'] } }
const createDir = () => join(mkdtempSync(join(tmpdir(), 'sekisho-kept-')), 'ja')

it('answers a kept page under its own key only', async () => {
  const dir = createDir()
  expect(await findRendered(dir, '/docs/a', 'k1')).toBeNull()
  await keepRendered(dir, '/docs/a', { key: 'k1', rendered })
  expect(await findRendered(dir, '/docs/a', 'k1')).toEqual(rendered)
  expect(await findRendered(dir, '/docs/a', 'k')).toBeNull()
  expect(await findRendered(dir, '/docs/b', 'k1')).toBeNull()
})

it('keeps one state of each page', async () => {
  const dir = createDir()
  for (const key of ['k1', 'k2']) await keepRendered(dir, '/docs/a', { key, rendered })
  expect(await findRendered(dir, '/docs/a', 'k1')).toBeNull()
  expect(await findRendered(dir, '/docs/a', 'k2')).toEqual(rendered)
  expect(readdirSync(dir)).toHaveLength(1)
})

it('takes a damaged file for none', async () => {
  const dir = createDir()
  await keepRendered(dir, '/docs/a', { key: 'k1', rendered })
  const file = keptFile(dir, '/docs/a')
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3))
  expect(await findRendered(dir, '/docs/a', 'k1')).toBeNull()
  appendFileSync(file, '"}')
  expect(await findRendered(dir, '/docs/a', 'k1')).toBeNull()
})

const page = { path: '/docs/a', layouts: [], attributes: {}, modules: {}, chunks: ['shell', 'pa', 'p0'] }
const start = { first: { index: 'index.json', page: null, nodes: {} }, scripts: ['/assets/js/pa.js'] }
const code = { shared: 's', chunks: { shell: 'c', pa: 'a', pb: 'b' } }
const key = keyPage('/docs/a', { page, start, code })

it.each([
  ['its code', { code: { ...code, chunks: { ...code.chunks, pa: 'edited' } } }],
  ['the code around it', { code: { ...code, chunks: { ...code.chunks, shell: 'edited' } } }],
  ['the code of all pages', { code: { ...code, shared: 'edited' } }],
  ['its place in the site', { page: { ...page, attributes: { sidebar: 'other' } } }],
  ['its sidebar', { start: { ...start, first: { ...start.first, nodes: { r: [{ type: 'link' }] } } } }],
  ['its scripts', { start: { ...start, scripts: ['/assets/js/pa2.js'] } }],
])('the key of a page changes with %s', (_what, change) => {
  expect(keyPage('/docs/a', { page, start, code, ...change })).not.toBe(key)
})

it('the key of a page does not change with another page', () => {
  const chunks = { ...code.chunks, pb: 'edited' }
  expect(keyPage('/docs/a', { page, start, code: { ...code, chunks } })).toBe(key)
})

it('there is no key for a page whose code reads what nobody can foresee', () => {
  expect(keyPage('/docs/a', { page, start, code: { ...code, shared: null } })).toBeNull()
  const chunks = { ...code.chunks, pa: null }
  expect(keyPage('/docs/a', { page, start, code: { ...code, chunks } })).toBeNull()
})

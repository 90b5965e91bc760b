import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSite } from './index-site.ts'

let outDir = ''
beforeAll(async () => {
  outDir = await mkdtemp(path.join(tmpdir(), 'sekisho-indexing-'))
})
afterAll(() => rm(outDir, { recursive: true, force: true }))

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    path: `/docs/${at}`,
    file: `docs/${at}.html`,
    title: `頁 ${at}`,
  }))

it.each([0, 1, 63, 64, 300])('reads %i pages in their order, in threads or not', async (count) => {
  const pages = pagesOf(count)
  await mkdir(path.join(outDir, 'docs'), { recursive: true })
  for (const { file, title } of pages) {
    const html = `<html><body><main><article><h1>${title}</h1><p>手形</p></article></main></body></html>`
    await writeFile(path.join(outDir, file), html)
  }
  const read = await readSite({ outDir, pages }, async (found) => [...found])
  expect(read.map(({ title }) => title)).toEqual(pages.map(({ title }) => title))
})

it.each([10, 100])('says which of %i pages is missing', async (count) => {
  const pages = [...pagesOf(count - 1), { path: '/lost', file: 'lost.html', title: '無い' }]
  await expect(readSite({ outDir, pages }, async (found) => [...found])).rejects.toThrow('lost.html')
})

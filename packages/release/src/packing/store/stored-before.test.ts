import { hash } from 'node:crypto'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contentTypeOf, PAGE_TYPE } from '../build/content-types.ts'
import type { RouteToStore, StoredRoute } from './blob-writer.ts'
import { createStoredBefore } from './stored-before.ts'

const storedAs = (path: string, text: string): StoredRoute => ({
  path,
  file: {
    ...{ sha256: hash('sha256', text), bytes: Buffer.byteLength(text), encodings: {} },
    ...{ type: 'text/html', delivery: 'page', cache: 'no-store' },
  },
  references: ['/main.js'],
  refused: [],
  compressed: 3,
})

it('finds what an edition stored where a further one has the same, and nothing where anything differs', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sekisho-stored-before-'))
  const [file, other] = [join(folder.path, 'a.html'), join(folder.path, 'b.html')]
  await writeFile(file, '全員の頁')
  await writeFile(other, '別人の頁')
  const route: RouteToStore = {
    ...{ name: 'a/index.html', file, path: '/a', kind: PAGE_TYPE, isShared: false },
    ...{ title: '頁', markdown: '/a.md' },
  }
  const before = createStoredBefore()
  expect(before.find(route)).toBeNull()
  const made = [storedAs('/a', '全員の頁'), storedAs('/a.md', '# 頁')]
  before.note([route], made)
  expect(before.find(route)).toEqual(made.map((one) => ({ ...one, compressed: 0 })))
  for (const change of [
    { file: other },
    { title: '別の題' },
    { path: '/b' },
    { isShared: true },
    { markdown: '/b.md' },
    { kind: contentTypeOf('a.html') },
  ])
    expect(before.find({ ...route, ...change }), JSON.stringify(change)).toBeNull()
})

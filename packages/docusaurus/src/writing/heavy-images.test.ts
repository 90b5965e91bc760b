import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findHeavyImages } from './heavy-images.ts'

const siteDir = mkdtempSync(path.join(tmpdir(), 'sekisho-images-'))

it('names pictures of more than 5 MB by file and line, and no other', () => {
  writeFileSync(path.join(siteDir, '地図.png'), Buffer.alloc(12_000_000))
  writeFileSync(path.join(siteDir, 'small.png'), 'x')
  const markdown =
    'a\n![小](small.png) ![大](<%E5%9C%B0%E5%9B%B3.png>)\n![なし](none.png) ![外](https://a.example/b.png)'
  const found = findHeavyImages(siteDir, path.join(siteDir, 'a.md'), markdown)
  expect(found).toEqual([expect.stringMatching(/^a\.md:2: 画像 地図\.png が 12\.0 MB/)])
})

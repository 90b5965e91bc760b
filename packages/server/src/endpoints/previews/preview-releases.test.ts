import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previewReleasesDir } from '@sekisho/release'
import { expect, it } from 'vitest'
import { dataFolderAt } from '../../storage/data-folder.ts'
import { createPreviewReleases } from './preview-releases.ts'

it('holds eight previews in memory, those that were read last', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-previews-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`)
  for (const name of [...names, 'p8']) {
    const dir = previewReleasesDir(root, name)
    await mkdir(dir, { recursive: true })
    await writeFile(join(dir, 'current'), 'no release') // which is said when it is opened
  }
  const opened: unknown[] = []
  const releases = createPreviewReleases({
    ...{ place: { folder: root }, isOwn: true, folder: dataFolderAt(root) },
    log: (_level, _event, fields) => opened.push(fields?.preview),
    signal: new AbortController().signal,
  })
  const read = async (name: string) => releases.of(name).editions()
  for (const name of names) await read(name)
  await read('p0')
  await read('p8')
  expect(opened).toEqual([...names, 'p8'])
  await read('p0')
  await read('p1')
  expect(opened).toEqual([...names, 'p8', 'p1'])
  releases.forget('p0')
  await read('p0')
  expect(opened).toEqual([...names, 'p8', 'p1', 'p0'])
})

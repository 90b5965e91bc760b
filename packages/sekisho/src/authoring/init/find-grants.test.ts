import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findGrants } from './find-grants.ts'

it('reads the grants of a build whose folders are named like pages and style sheets', async () => {
  await using build = await mkdtempDisposable(join(tmpdir(), 'sekisho-grants-'))
  for (const folder of ['contact.html', 'theme.css'])
    await mkdir(join(build.path, folder), { recursive: true })
  await writeFile(join(build.path, 'contact.html/index.html'), '<img src="https://pictures.example/a.png">')
  expect(await findGrants(build.path)).toEqual([{ kind: 'img', source: 'https://pictures.example' }])
  expect(await findGrants(join(build.path, 'none'))).toEqual([])
})

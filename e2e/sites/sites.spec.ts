import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { LONG } from '../support/fixtures.ts'
import { CORE } from './fixtures/core.ts'
import { trySite } from './try-site.ts'

// Side by side: each takes a minute and more.
test.describe.configure({ mode: 'parallel', timeout: 600_000 })
test.use({ trace: 'off' }) // sites are built anew; a trace of them costs more than it tells

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

for (const fixture of CORE) {
  const title = `a site of somebody else's works behind the gate and keeps its face: ${fixture.name}`
  test(title, { tag: LONG }, async ({ browser }) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'sekisho-core-'))
    await mkdir(path.join(dir, 'sites'))
    await symlink(NODE_MODULES, path.join(dir, 'node_modules'))
    const { problems } = await trySite(fixture, path.join(dir, 'sites', fixture.name), browser)
    expect(problems).toEqual([])
    await rm(dir, { recursive: true })
  })
}

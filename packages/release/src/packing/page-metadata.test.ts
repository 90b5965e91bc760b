import { expect, it } from 'vitest'
import { ReleaseError } from '../errors.ts'
import { createTestBuild, loadOnlyEdition, pageHtml, type TestBuild } from '../testing/test-build.ts'
import { packRelease } from './pack.ts'

const pack = (build: TestBuild) => packRelease({ ...build, clock: () => Date.UTC(2025, 3, 1) })
const withHead = (head: string) => pageHtml('手引き').replace('<head>', `<head>${head}`)
const GUIDE = 'docs/guide/index.html'

it('reads the metadata of any generator once, from the HTML', async () => {
  await using build = await createTestBuild()
  const head = [
    '<meta name="description" content=" 門の\n通り方 ">',
    '<meta name=sekisho-owner content="SRE &amp; QA">',
    '<meta content="src/**" name="SEKISHO-COVERS"><meta name="sekisho-covers" content="lib/**">',
    '<meta name="sekisho-status" content="obsolete"><meta name="sekisho-replaced-by" content="/docs/base">',
    '<meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-12-31">',
  ].join('')
  const body = '<main><time datetime="2026-11-20T00:00Z">20日</time></main></body>'
  await build.write(GUIDE, withHead(head).replace('</body>', body))
  const { id } = await pack(build)
  const { files } = await loadOnlyEdition(build.releasesDir, id)
  expect(files.get('/docs/guide')?.page).toEqual({
    lang: 'ja',
    description: '門の 通り方',
    updated: '2026-11-20',
    owner: 'SRE & QA',
    status: 'obsolete',
    replacedBy: '/docs/base/',
    covers: ['src/**', 'lib/**'],
    acknowledge: { audience: 'all', due: '2026-12-31', again: 'major' },
  })
  expect(files.get('/docs/base/')?.page).toEqual({ lang: 'ja' })
  expect(files.get('/docs/guide.md')?.page).toBeUndefined()
})

it.each([
  ['an unknown field of an acknowledgement', '<meta name="sekisho-acknowledge-until" content="2026-12-31">'],
  ['a replacement that the edition lacks', '<meta name="sekisho-replaced-by" content="/docs/secret">'],
  ['a replacement that is no page', '<meta name="sekisho-replaced-by" content="/img/photo.png">'],
  ['too many patterns', '<meta name="sekisho-covers" content="a">'.repeat(10_000)],
])('refuses a build with %s, and names the page', async (_name, head) => {
  await using build = await createTestBuild()
  await build.write(GUIDE, withHead(head))
  const error = await pack(build).then(String, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(ReleaseError)
  expect(String(error)).toContain('/docs/guide')
})

it('cuts a long description, and leaves out days and languages that are none', async () => {
  await using build = await createTestBuild()
  const page = `<html lang="日本語"><head><meta name="description" content="${'😀'.repeat(400)}"></head><body><main><time datetime="2026-99-99">x</time></main></body></html>`
  await build.write(GUIDE, page)
  const { id } = await pack(build)
  const edition = await loadOnlyEdition(build.releasesDir, id)
  expect(edition.files.get('/docs/guide')?.page).toEqual({ description: '😀'.repeat(300) })
})

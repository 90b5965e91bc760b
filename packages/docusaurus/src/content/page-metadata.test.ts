import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { readMetadata, writeMetadata } from './page-metadata.ts'

let siteDir: string
beforeEach(async () => {
  siteDir = await mkdtemp(join(tmpdir(), 'sekisho-metadata-'))
})

/** Content of plugins for a site with one document. */
async function load(lines: readonly string[], frontMatter: object) {
  await mkdir(join(siteDir, 'docs'))
  await writeFile(join(siteDir, 'docs/規程.md'), `---\n${lines.join('\n')}\n---\n\n本文\n`)
  const doc = { permalink: encodeURI('/docs/規程/'), source: '@site/docs/規程.md', frontMatter }
  return { 'docusaurus-plugin-content-docs': { default: { loadedVersions: [{ docs: [doc] }] } } }
}

it('writes front matter as <meta> elements of the built page', async () => {
  const acknowledge = { audience: 'all', due: new Date('2026-12-31'), statement: '"読みました" <b>&' }
  const content = await load(['owner: SRE'], { owner: 'SRE', acknowledge })
  const metadata = readMetadata(content, siteDir)
  await writeFile(join(siteDir, 'a.html'), '<html><head><title>a</title></head><body></body></html>')
  await writeMetadata(siteDir, [{ path: '/docs/規程', file: 'a.html' }], metadata)
  expect(await readFile(join(siteDir, 'a.html'), 'utf8')).toBe(
    '<html><head><title>a</title><meta name="sekisho-owner" content="SRE"><meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-12-31"><meta name="sekisho-acknowledge-statement" content="&quot;読みました&quot; &lt;b>&amp;"><meta name="sekisho-acknowledge-again" content="major"></head><body></body></html>',
  )
})

it.each<[name: string, lines: readonly string[], frontMatter: object, place: string]>([
  [
    'an unknown key of an acknowledgement',
    ['title: 規程', 'acknowledge:', '  audience: all', '  due: 2026-12-31', '  on: major'],
    { acknowledge: { audience: 'all', due: '2026-12-31', on: 'major' } },
    'docs/規程.md:6: ',
  ],
  [
    'a due day that is none',
    ['acknowledge:', '  audience: all', '  due: soon'],
    { acknowledge: { audience: 'all', due: 'soon' } },
    'docs/規程.md:4: ',
  ],
  ['another shape', ['acknowledge: all'], { acknowledge: 'all' }, 'docs/規程.md:2: '],
  ['a list of owners', ['title: a', 'owner: [a, b]'], { owner: ['a', 'b'] }, 'docs/規程.md:3: '],
  ['a draft by another word', ['title: a', 'drafft: true'], { drafft: true }, 'docs/規程.md:3 '],
  ['another site', ['replaced-by: x'], { 'replaced-by': 'https://x.test' }, 'docs/規程.md:2: '],
])('fails the build for %s, with file and line', async (_name, lines, frontMatter, place) => {
  const content = await load(lines, frontMatter)
  expect(() => readMetadata(content, siteDir)).toThrow(place)
})

it('fails a build, not its preview, for a page whose address the gate refuses, and names its file', () => {
  const page = { permalink: '/R%26D', source: '@site/src/pages/R&D.md', frontMatter: {} }
  const content = { 'docusaurus-plugin-content-pages': { default: [page] } }
  expect(readMetadata(content, siteDir)).toEqual(new Map())
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => readMetadata(content, siteDir)).toThrow('src/pages/R&D.md')
})

it('leaves a page without any as it is', async () => {
  const content = await load(['title: 規程'], { title: '規程', status: 'stable' })
  expect(readMetadata(content, siteDir)).toEqual(new Map())
})

it.each([
  [['audiense', 'ownr', 'reviwe', 'acknowlege', 'acnowlege'], 5],
  [['Owner', 'covers ', 'Replaced_By', 'titel', 'sidebar_postion', 'serach', 'unlisted'], 6],
  [['order', 'cover', 'preview', 'resources', 'version', 'state', 'author', 'image', 'hide_title'], 0],
])('warns of misspelt keys on every site: %j', async (keys, warnings) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const content = await load(
    keys.map((key) => `${key}: x`),
    Object.fromEntries(keys.map((key) => [key, key === 'unlisted' ? true : 'x'])),
  )
  readMetadata(content, siteDir)
  expect(warn.mock.calls.map(String).filter((text) => /docs\/規程\.md:\d+ /.test(text))).toHaveLength(
    warnings,
  )
  warn.mockRestore()
})

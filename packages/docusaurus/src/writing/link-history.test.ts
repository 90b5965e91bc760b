import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLinkHistory } from './link-history.ts'

const TEXT = '\n\nThis text is long enough for Git to know the file by it.\n\n'
const START = `# Old${TEXT}## はじめに\n\n## Set up\n\n## Gone\n`
const LATER = `# Old${TEXT}## 最初に\n\n## Set [up](x) \`all\` {#all}\n`
const SLUG = (slug: string) => `---\nslug: ${slug}\n---${TEXT}`

/** Files of each commit of a repository, the oldest first; null removes one. */
const COMMITS: readonly Readonly<Record<string, string | null>>[] = [
  {
    'docs/guide/old.md': START,
    'docs/removed.md': '# R\n',
    'docs/s.md': SLUG('/start'),
    'docs/日本 語.md': `# 日${TEXT}`,
    'blog/2026-01-02-post.md': `# P${TEXT}${TEXT}`,
  },
  { 'docs/guide/old.md': null, 'docs/guide/mid.md': START, 'docs/s.md': SLUG('/begin') },
  { 'docs/guide/mid.md': LATER, 'docs/removed.md': null },
  {
    'docs/guide/mid.md': null,
    'docs/new/index.md': LATER,
    'docs/日本 語.md': null,
    'docs/新.md': `# 日${TEXT}`,
  },
  {
    'blog/2026-01-02-post.md': null,
    'blog/2026-01-02-new.md': `# P${TEXT}${TEXT}`,
    'knowledge/k.md': '# K\n',
  },
]

function createSite() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'sekisho-links-'))
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: folder.path, input, stdio: ['pipe', 'ignore', 'pipe'] })
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const stream = COMMITS.map((files, at) => {
    const changes = Object.entries(files).map(([name, text]) =>
      text === null ? `D "site/${name}"\n` : `M 100644 inline "site/${name}"\n${data(text)}`,
    )
    const time = Date.UTC(2026, at, 1, 12) / 1_000
    return `commit refs/heads/main\ncommitter a <a@b.test> ${time} +0000\n${data('x')}${changes.join('')}\n`
  })
  git(['init', '-q', '-b', 'main'])
  git(['fast-import', '--quiet'], stream.join(''))
  git(['reset', '-q', '--hard'])
  return { dir: join(folder.path, 'site'), [Symbol.dispose]: () => folder.remove() }
}

it('says where pages and headings went that a link names, through every later name, and nothing of what never was', () => {
  using site = createSite()
  const history = createLinkHistory(site.dir, (source) => `/${source.replace(/(?:\/index)?\.md$/, '')}`)
  const from = { source: 'docs/a.md', permalink: '/docs/a' }
  const ofPage = (target: string) => history.ofPage(from, target)?.values ?? null
  const ofHeading = (anchor: string) => history.ofHeading('docs/new/index.md', anchor)?.values ?? null
  for (const target of ['/docs/guide/old', 'guide/mid#x', '/base/docs/guide/old/'])
    expect(ofPage(target), target).toEqual(['/docs/new', '2026-04-01'])
  expect(ofPage('./guide/old.md#x')).toEqual(['./new/index.md', '2026-04-01'])
  expect(ofPage('../blog/2026-01-02-post.md')).toEqual(['../blog/2026-01-02-new.md', '2026-05-01'])
  expect(ofPage('/blog/2026/01/02/post')).toEqual(['/blog/2026-01-02-new', '2026-05-01'])
  expect(ofPage('/docs/%E6%97%A5%E6%9C%AC%20%E8%AA%9E')).toEqual(['/docs/新', '2026-04-01'])
  expect(ofPage('/docs/start')).toEqual(['/docs/s', '2026-02-01'])
  for (const target of ['removed', '@site/docs/removed.md']) expect(ofPage(target)).toEqual(['2026-03-01'])
  for (const target of ['/docs/none', '/knowledge/guide/old', '%E3%81']) expect(ofPage(target)).toBeNull()
  expect(ofHeading('はじめに')).toEqual(['#最初に', '2026-03-01'])
  expect(ofHeading('set-up')).toEqual(['#all', '2026-03-01'])
  expect(ofHeading('never')).toBeNull()
})

it('knows nothing where there is no repository', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sekisho-links-'))
  const history = createLinkHistory(folder.path, () => undefined)
  expect(history.ofPage({ source: 'a.md', permalink: null }, './b.md')).toBeNull()
  expect(history.ofHeading('a.md', 'b')).toBeNull()
})

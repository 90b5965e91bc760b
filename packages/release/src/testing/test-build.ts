import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Edition } from '../manifest.ts'
import { loadManifest } from '../release-store.ts'
import { writeFiles } from './write-files.ts'

/** A small site build in a temporary folder, as `docusaurus build` with our plugin leaves one. */
export interface TestBuild extends AsyncDisposable {
  readonly root: string
  readonly buildDir: string
  readonly dataDir: string
  readonly releasesDir: string
  write(name: string, contents: string | Uint8Array): Promise<void>
  writeSite(changes?: Record<string, unknown>): Promise<void>
}

const PARAGRAPH = '<p>関所を通る者は、まず手形を見せる。文書は門の内にある。</p>'

/** A page with one inline script and enough text to be worth compressing. */
export function pageHtml(title: string): string {
  return `<!doctype html><html lang="ja"><head><title>${title}</title><script>document.theme='light'</script></head><body>${PARAGRAPH.repeat(20)}</body></html>`
}

/** Default `site.json` of the fixture. */
export const SITE = {
  format: 1,
  title: 'Sekisho',
  tagline: '技術ドキュメントポータル',
  lang: 'ja',
  baseUrl: '/',
  pages: [
    { path: '/', file: 'index.html', title: 'ホーム' },
    { path: '/docs/guide', file: 'docs/guide/index.html', title: '手引き' },
    { path: '/docs/base/', file: 'docs/base/index.html', title: '基本' },
    { path: '/docs/環境', file: 'docs/環境/index.html', title: '環境' },
  ],
  redirects: [{ from: '/docs', to: '/docs/guide#始め' }],
  notFound: '404.html',
}

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'index.html': pageHtml('ホーム'),
  '404.html': pageHtml('見つかりません'),
  'docs/guide/index.html': pageHtml('手引き'),
  'docs/base/index.html': pageHtml('基本'),
  'docs/環境/index.html': pageHtml('環境'),
  'docs/index.html': '<meta http-equiv="refresh" content="0; url=/docs/guide">',
  'assets/js/main.0a1b2c3d.js': `console.log(${JSON.stringify('関所'.repeat(400))})`,
  'assets/js/main.0a1b2c3d.js.map': '{"sources":["secret.ts"]}',
  'img/logo.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<rect/>'.repeat(60)}</svg>`,
  'img/photo.png': Uint8Array.from({ length: 1000 }, (_, index) => (index * 7919) % 251),
  'files/demo.html': '<script>alert(1)</script>',
  'files/manual.pdf': '%PDF-1.7 manual',
  'blog/rss.xml': '<rss/>',
  '.env': 'SECRET=1',
  'bundle-stats.json': '{}',
}

/** Writes the fixture build; `await using` removes it. */
export async function createTestBuild(): Promise<TestBuild> {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-build-'))
  const buildDir = join(root, 'build')
  const dataDir = join(root, 'data')
  const write = async (name: string, contents: string | Uint8Array) =>
    writeFiles(buildDir, { [name]: contents })
  writeFiles(buildDir, FILES)
  const writeSite = (changes = {}) => write('__sekisho/site.json', JSON.stringify({ ...SITE, ...changes }))
  await writeSite()
  return {
    root,
    buildDir,
    dataDir,
    releasesDir: join(dataDir, 'releases'),
    write,
    writeSite,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** The only edition of a kept release of a site that does not tell its readers apart. */
export async function loadOnlyEdition(releasesDir: string, id: string): Promise<Edition> {
  const { editions } = await loadManifest(releasesDir, id)
  const [edition, ...others] = editions
  if (edition === undefined || others.length > 0)
    throw new Error(`the release has ${editions.length} editions`)
  return edition
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Inside the repository, so that the site finds Docusaurus; ignored by Git. */
const SITES = fileURLToPath(new URL('../../../.cache/test-sites', import.meta.url))

const configWith = (flatPlugin: string) => `export default {
  title: '試験',
  url: 'http://127.0.0.1',
  baseUrl: '/',
  i18n: { defaultLocale: 'ja', locales: ['ja'] },
  future: { v4: true, faster: true },
  plugins: [
    ['@docusaurus/plugin-content-docs', {}],
    ['@docusaurus/plugin-content-blog', { authorsMapPath: 'authors.yml', onInlineTags: 'ignore' }],
    ['@docusaurus/plugin-content-pages', {}],
  ],
  themes: ['@docusaurus/theme-classic', ${flatPlugin}],
}
`

/** The same, but for the order in which its bundles are made. */
export const ONE_BY_ONE = {
  'docusaurus.config.mjs': configWith("['@sekisho/light-pages', { bundleTogetherBelow: 0 }]"),
}

const FILES = {
  'package.json': '{ "name": "test-site", "private": true }',
  'docusaurus.config.mjs': configWith("'@sekisho/light-pages'"),
  'src/pages/index.tsx': "export default () => <a href='/docs/one'>はじめ</a>\n",
  'src/components/Note.tsx': 'export default () => <p>部品の初版</p>\n',
  'docs/one.mdx': "---\ntags: [甲]\n---\n# 一\n\nimport Note from '@site/src/components/Note'\n\n<Note />\n",
  'docs/two.md': '---\ntags: [甲]\n---\n# 二\n\n本文の初版。\n\n```js\nconst a = 1\n```\n',
  'docs/three.md': '# 三\n\n変わらない本文。\n',
  'docs/part/_category_.json': '{ "label": "分類の初版" }',
  'docs/part/four.md': '# 四\n\n[二](../two.md)\n',
  'docs/part/five.md': '# 五\n\n変わらない本文。\n',
  'blog/authors.yml': 'hanako:\n  name: 花子の初版\n  page: true\n',
  'blog/2025-01-01-post.md':
    '---\nauthors: [hanako]\ntags: [知らせ]\n---\n# 知らせ\n\n要約。\n\n{/* truncate */}\n\n続き。\n',
  'blog/2025-02-01-other.md': '---\ntags: [知らせ]\n---\n# 別の知らせ\n\n変わらない本文。\n',
} as const

/** A small site that is built as a site of this product is. */
interface TestSite {
  write(files: { [name: string]: string }): void
  /** Removes everything that earlier builds left. */
  forgetBuilds(): void
  /** Builds and returns a hash of each file of the result. */
  build(): Promise<Map<string, string>>
  /** A file of the last build. */
  read(file: string): string
  /** Number of pages kept for the next build. */
  readonly kept: () => number
  /** Number of kept pages rendered since a time. */
  renderedSince(timeMs: number): number
}

/** Writes the site, without anything of earlier runs. */
export function createTestSite(name: string): TestSite {
  const dir = join(SITES, name)
  const pages = join(dir, 'node_modules/.cache/sekisho-pages/ja')
  rmSync(dir, { recursive: true, force: true })
  const write = (files: { [name: string]: string }) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, file)), { recursive: true })
      writeFileSync(join(dir, file), text)
    }
  }
  write(FILES)
  return {
    write,
    forgetBuilds() {
      for (const folder of ['build', '.docusaurus', 'node_modules'])
        rmSync(join(dir, folder), { recursive: true, force: true })
    },
    async build() {
      const core = createRequire(import.meta.url).resolve('@docusaurus/core/package.json')
      // Not minified: SWC names variables otherwise when the rest of the bundle comes out of the cache.
      const args = [join(dirname(core), 'bin/docusaurus.mjs'), 'build', '--no-minify']
      const env = { ...process.env, NODE_ENV: 'production', DOCUSAURUS_SSG_WORKER_THREAD_COUNT: '1' }
      await promisify(execFile)(process.execPath, args, { cwd: dir, env })
      return hashFolder(join(dir, 'build'))
    },
    read: (file) => readFileSync(join(dir, 'build', file), 'utf8'),
    kept: () => readdirSync(pages).length,
    renderedSince: (timeMs) =>
      readdirSync(pages).filter((file) => statSync(join(pages, file)).mtimeMs >= timeMs).length,
  }
}

function hashFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const named = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(
    named.map((file) => [
      file.slice(folder.length),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  )
}

import { join } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'

/** One page of the fixture with a sentence found nowhere else. */
interface FixturePage {
  readonly path: string
  readonly title: string
  readonly secret: string
}

export const PAGES: readonly FixturePage[] = [
  { path: '/', title: '関所の内側', secret: '門の内に入った者だけが読める最初の頁である。' },
  { path: '/docs/secret', title: '鍵の入れ替え手順', secret: '署名鍵は毎月一日の夜に全台で入れ替える。' },
  { path: '/docs/base/', title: '基本の構え', secret: '夜間の当番は二人一組で詰所に控える決まりだ。' },
  { path: '/docs/環境構築', title: '環境構築の覚え書き', secret: '検証用の台は蔵の奥に三台だけ置いてある。' },
  {
    path: '/docs/がぎぐげご',
    title: '濁点の名前を持つ頁',
    secret: '合成済みの濁点と分解した濁点は別の綴りだ。',
  },
  {
    path: '/blog/first-post',
    title: '最初の便り',
    secret: '来月の大安に新しい門を開く予定を内々に知らせる。',
  },
  // A word that the gate says to everybody, in an Allow header.
  { path: '/docs/methods', title: 'DELETE', secret: '立札を下ろすのは触れの主だけに許される。' },
  {
    path: '/en/',
    title: 'Inside the barrier',
    secret: 'Only those who were let in may read this first page.',
  },
  {
    path: '/en/docs/secret',
    title: 'Rotating the keys',
    secret: 'Signing keys are replaced on every machine on the first night of the month.',
  },
]

/** The site is in Japanese, and below one folder in English: strangers get the login page in the language of their path. */
const LOCALES = [
  { base: '/', lang: 'ja', redirects: [{ from: '/docs', to: '/docs/secret' }] },
  { base: '/en/', lang: 'en', redirects: [{ from: '/en/docs', to: '/en/docs/secret' }] },
] as const

/** Text that only the fixture's other files hold. */
export const SCRIPT_SECRET = '手形の照合は番頭だけが行うこととする'
export const FEED_SECRET = '購読者だけに配る便りの本文をここに置く'

const localeOf = (path: string) => LOCALES.findLast(({ base }) => path.startsWith(base)) ?? LOCALES[0]

const page = ({ path, title, secret }: FixturePage) =>
  `<!doctype html><html lang="${localeOf(path).lang}"><head><meta charset="utf-8"><title>${title} | Sekisho</title>` +
  `<script>document.documentElement.dataset.theme='light'</script></head><body><main><h1>${title}</h1>` +
  `<p>${secret}</p><p>${'本文は門の内にあり、手形のない者には一字も渡さない。'.repeat(12)}</p></main></body></html>`

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  '404.html': page({
    path: '/404.html',
    title: '見つかりません',
    secret: 'この関所の内にその名の文書は無い。',
  }),
  'en/404.html': page({
    path: '/en/404.html',
    title: 'Nothing found',
    secret: 'Inside of this barrier there is no document of that name.',
  }),
  'assets/js/main.0a1b2c3d.js': `console.log(${JSON.stringify(SCRIPT_SECRET.repeat(40))})`,
  'assets/js/keys-rotation.4e5f6a7b.js': `self.x=${JSON.stringify({ t: SCRIPT_SECRET })}`,
  'assets/css/styles.9c8d7e6f.css': `.gate{color:#123456}/* ${'門'.repeat(200)} */`,
  'img/plan-of-the-gate.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<rect width="7"/>'.repeat(40)}</svg>`,
  'img/photo.png': Uint8Array.from({ length: 4_000 }, (_, index) => (index * 7919 + (index >> 3)) % 251),
  'files/資料 1.pdf': `%PDF-1.7 ${FEED_SECRET}`,
  'blog/rss.xml': `<rss><channel><item><title>最初の便り</title><description>${FEED_SECRET}</description></item></channel></rss>`,
  'sitemap.xml': '<urlset><url><loc>https://portal.test/docs/secret</loc></url></urlset>',
}

/** Writes the fixture as `docusaurus build` with our plugin leaves a site. */
export async function writeFixtureSite(buildDir: string): Promise<void> {
  const files: Record<string, string | Uint8Array> = { ...FILES }
  for (const one of PAGES) files[fileOf(one.path)] = page(one)
  for (const locale of LOCALES) files[`${locale.base.slice(1)}__sekisho/site.json`] = siteJson(locale)
  writeFiles(buildDir, files)
}

function siteJson(locale: (typeof LOCALES)[number]): string {
  const { base, lang, redirects } = locale
  const pages = PAGES.filter(({ path }) => localeOf(path) === locale).map(({ path, title }) => ({
    path,
    file: fileOf(`/${path.slice(base.length)}`),
    title: `${title} | Sekisho`,
  }))
  return JSON.stringify({
    format: 1,
    title: 'Sekisho',
    tagline: '技術ドキュメントポータル',
    lang,
    baseUrl: base,
    pages,
    redirects,
    notFound: '404.html',
  })
}

function fileOf(path: string): string {
  return join(path.slice(1), 'index.html')
}

import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'

interface HiddenPage {
  readonly path: string
  readonly file: string
  readonly title: string
}

const page = (name: string, title: string): HiddenPage => ({
  path: `/docs/${name}`,
  file: `docs/${name}/index.html`,
  title,
})

/** Each holds the pages of those after it. */
export const EDITIONS = [
  { name: 'staff', audiences: ['staff', 'partner'], own: page('night-duty', '夜間当番の引き継ぎ') },
  { name: 'partner', audiences: ['partner'], own: page('price-list', '取引先向けの価格表') },
  { name: 'everyone', audiences: [], own: null },
] as const

/** Surplus content of one edition's build. */
export type Spoil = (build: SpoiltBuild, edition: string) => Promise<void>

interface SpoiltBuild extends TestBuild {
  readonly addPage: (page: HiddenPage) => Promise<void>
}

/** Packs a release of three editions; the public one cannot see `partner`’s page, nor `partner` that of `staff`. */
export async function packEditions(dataDir: string, spoil: Spoil = async () => {}): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const editions: { name: string; audiences: readonly string[]; buildDir: string }[] = []
  for (const [index, { name, audiences }] of EDITIONS.entries()) {
    const build = cleanup.use(await createTestBuild())
    const pages = EDITIONS.slice(index).flatMap(({ own }) => own ?? [])
    const redirects = pages.map(({ path }) => ({ from: path.replace('/docs/', '/go-'), to: path }))
    await build.writeSite({ pages: [...SITE.pages, ...pages], redirects })
    for (const { file, title, path } of pages) {
      await build.write(file, pageHtml(`${title}: ${'この頁は限られた者だけが読む。'.repeat(4)}`))
      await build.write(`assets/js${path}.0a1b2c3d.js`, `self.page=${JSON.stringify(title.repeat(30))}`)
    }
    await build.write(
      'index.html',
      `${pageHtml('ホーム')}<p>${pages.map(({ title }) => title).join('、')}</p>`,
    )
    // As pages of a real site do, it has the menu of its edition.
    await build.write(
      '404.html',
      `${pageHtml('見つかりません')}<nav>${pages.map(({ title }) => title).join('、')}</nav>`,
    )
    const addPage = (more: HiddenPage) =>
      build.writeSite({ pages: [...SITE.pages, ...pages, more], redirects })
    await spoil({ ...build, addPage }, name)
    editions.push({ name, audiences, buildDir: build.buildDir })
  }
  await packRelease({ editions, dataDir, clock: Date.now })
}

/** Files that only the page on night duty names, each in another form, and that every edition was given. */
export const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  'files/plan one.pdf': '<a href="/files/plan one.pdf">x</a>',
  'files/plan+two.pdf': '<a href="../../files/plan%2Btwo.pdf">x</a>',
  'files/plan&three.pdf': '<a href="/files/plan&amp;three.pdf">x</a>',
  "files/plan'four.pdf": '<a href="/files/plan\'four.pdf">x</a>',
  'files/計画.pdf': `<a href=/files/${encodeURIComponent('計画')}.pdf>x</a>`,
  'files/plan-six.png': '<img src="/img/photo.png" srcset="/img/photo.png 1x, /files/plan-six.png 2x">',
  'files/plan-seven.png': '<p style="background:url(/files/plan-seven.png)">x</p>',
  'files/plan-eight.svg': '<svg><use xlink:href="/files/plan-eight.svg#a"/></svg>',
  'files/plan-nine.png': '<div data-full="/files/plan-nine.png">x</div>',
  'files/plan-ten.json': '<script type="application/ld+json">{"url":"\\/files\\/plan-ten.json"}</script>',
}

export const HIDDEN_CANARY = {
  path: '/assets/js/canary.0a1b2c3d.js',
  text: 'self.text="the text of a page that has been restricted since"',
} as const

/** Publishes two releases; of the second one a page that loads the canary is the staff's alone. */
export async function packMovedCanary(dataDir: string): Promise<void> {
  const file = HIDDEN_CANARY.path.slice(1)
  const html = `${pageHtml('入口')}<script src="${HIDDEN_CANARY.path}"></script>`
  await packEditions(dataDir, async (build) => {
    await build.write('docs/moved/index.html', html)
    await build.write(file, HIDDEN_CANARY.text)
    await build.addPage({ path: '/docs/moved', file: 'docs/moved/index.html', title: '移る頁' })
  })
  await packEditions(dataDir, async (build, edition) => {
    if (edition !== 'staff') return
    await build.write('docs/moved/index.html', html)
    await build.addPage({ path: '/docs/moved', file: 'docs/moved/index.html', title: '移る頁' })
  })
}

const HIDDEN = EDITIONS[0].own.path
const HIDDEN_TITLE = EDITIONS[0].own.title
/** Files of the build for everyone that name what it lacks. */
const BROKEN_FILES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'the site map of the whole': [
    'sitemap.xml',
    `<urlset><url><loc>https://portal.test${HIDDEN}</loc></url></urlset>`,
  ],
  'a path left out by the config, which every browser gets': [
    'assets/js/main.0a1b2c3d.js',
    `self.config={exclude:["${HIDDEN}"]}`,
  ],
  'ids of drafts in the data of all pages': [
    'assets/js/data.0a1b2c3d.js',
    `self.data=JSON.parse('{"draftIds":["${HIDDEN}"]}')`,
  ],
  'a feed of the whole': [
    'blog/rss.xml',
    `<rss><item><link>https://portal.test${HIDDEN}</link></item></rss>`,
  ],
  'pages for agents of the whole': ['llms.txt', `- [duty](${HIDDEN})\n`],
  'paths of another edition in JSON with escapes': [
    'routes.json',
    `{"routes":["${HIDDEN.replaceAll('/', '\\/')}"]}`,
  ],
  'titles of the whole in the list of tags': [
    'tags.json',
    JSON.stringify({ tags: [{ label: '運用', pages: [HIDDEN_TITLE] }] }),
  ],
  'labels of the whole side menu in a script': [
    'assets/js/sidebar.0a1b2c3d.js',
    `self.labels=["${HIDDEN_TITLE}"]`,
  ],
  'short cuts of the whole for devices': ['manifest.json', JSON.stringify({ shortcuts: [{ url: HIDDEN }] })],
  'a picture of another edition in a style sheet': [
    'assets/css/styles.0a1b2c3d.css',
    `.duty{background:url(${HIDDEN}/plan.png)}`,
  ],
  'what browsers are to fetch ahead, out of every edition': [
    'assets/js/prefetch.0a1b2c3d.js',
    `self.ahead=${JSON.stringify([{ source: 'list', urls: [`${HIDDEN}?x`] }])}`,
  ],
}

/** Builds of one edition that name what they lack. */
export const BROKEN_BUILDS: readonly { readonly name: string; readonly spoil: Spoil }[] = Object.entries(
  BROKEN_FILES,
).map(([name, [file, text]]) => ({
  name,
  spoil: async (build, edition) => (edition === 'everyone' ? build.write(file, text) : undefined),
}))

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

/** What a build of one edition has more than it should. */
export type Spoil = (build: TestBuild, edition: string) => Promise<void>

/** Packs a release of three editions; `everyone` cannot see `partner`’s page, nor `partner` that of `staff`. */
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
    await spoil(build, name)
    editions.push({ name, audiences, buildDir: build.buildDir })
  }
  await packRelease({ editions, dataDir, clock: Date.now })
}

const HIDDEN = EDITIONS[0].own.path
const HIDDEN_TITLE = EDITIONS[0].own.title
const everyones =
  (write: (build: TestBuild) => Promise<void>): Spoil =>
  (build, edition) =>
    edition === 'everyone' ? write(build) : Promise.resolve()

/** Builds of one edition that name what they lack. */
export const BROKEN_BUILDS: readonly { readonly name: string; readonly spoil: Spoil }[] = [
  {
    name: 'the site map of the whole',
    spoil: everyones((build) =>
      build.write('sitemap.xml', `<urlset><url><loc>https://portal.test${HIDDEN}</loc></url></urlset>`),
    ),
  },
  {
    name: 'a path left out by the config, which every browser gets',
    spoil: everyones((build) =>
      build.write('assets/js/main.0a1b2c3d.js', `self.config={exclude:["${HIDDEN}"]}`),
    ),
  },
  {
    name: 'ids of drafts in the data of all pages',
    spoil: everyones((build) =>
      build.write('assets/js/data.0a1b2c3d.js', `self.data=JSON.parse('{"draftIds":["${HIDDEN}"]}')`),
    ),
  },
  {
    name: 'a feed of the whole',
    spoil: everyones((build) =>
      build.write('blog/rss.xml', `<rss><item><link>https://portal.test${HIDDEN}</link></item></rss>`),
    ),
  },
  {
    name: 'pages for agents of the whole',
    spoil: everyones((build) => build.write('llms.txt', `- [duty](${HIDDEN})\n`)),
  },
  {
    name: 'paths of another edition in JSON with escapes',
    spoil: everyones((build) =>
      build.write('routes.json', `{"routes":["${HIDDEN.replaceAll('/', '\\/')}"]}`),
    ),
  },
  {
    name: 'titles of the whole in the list of tags',
    spoil: everyones((build) =>
      build.write('tags.json', JSON.stringify({ tags: [{ label: '運用', pages: [HIDDEN_TITLE] }] })),
    ),
  },
  {
    name: 'labels of the whole side menu in a script',
    spoil: everyones((build) =>
      build.write('assets/js/sidebar.0a1b2c3d.js', `self.labels=["${HIDDEN_TITLE}"]`),
    ),
  },
  {
    name: 'short cuts of the whole for devices',
    spoil: everyones((build) =>
      build.write('manifest.json', JSON.stringify({ shortcuts: [{ url: HIDDEN }] })),
    ),
  },
  {
    name: 'a picture of another edition in a style sheet',
    spoil: everyones((build) =>
      build.write('assets/css/styles.0a1b2c3d.css', `.duty{background:url(${HIDDEN}/plan.png)}`),
    ),
  },
  {
    name: 'what browsers are to fetch ahead, out of every edition',
    spoil: everyones((build) =>
      build.write(
        'assets/js/prefetch.0a1b2c3d.js',
        `self.ahead=${JSON.stringify([{ source: 'list', urls: [`${HIDDEN}?x`] }])}`,
      ),
    ),
  },
]

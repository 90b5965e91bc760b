import { describe, expect, it } from 'vitest'
import { divideSite } from './check-whole.ts'
import { readEditionsText } from './read-editions.ts'

const EDITIONS = readEditionsText(
  JSON.stringify({
    editions: [
      { name: 'staff', audiences: ['staff', 'partner'] },
      { name: 'audit', audiences: ['audit'] },
      { name: 'everyone', audiences: [] },
    ],
  }),
)

interface Given {
  readonly text?: string | null
  readonly frontMatter?: Readonly<Record<string, unknown>>
}

const file = (name: string, audience: string | null, { text = '', frontMatter = {} }: Given = {}) => ({
  ...{ name, audience, text, frontMatter, table: null },
  isMarkdown: /\.mdx?$/.test(name),
})
const POST = { text: '# 当番表', frontMatter: { tags: ['shifts', 'common'], authors: ['kiyoshi'] } }
const NARROWER = [
  file('docs/ops/duty.md', 'staff', { text: '# 当番' }),
  file('docs/ops/01-night.md', 'staff', { frontMatter: { slug: '/on-call' } }),
  file('docs/ops/plan.png', 'staff', { text: null }),
  file('docs/_part.mdx', 'staff'),
  file('versioned_docs/version-1.0/old.md', 'staff'),
  file('blog/2026-02-01-roster.md', 'staff', POST),
  file('src/pages/rota.js', 'staff'),
  file('src/components/Rota.tsx', 'staff'),
  file('static/files/rota.pdf', 'staff', { text: null }),
]
const COMMON = [
  file('docs/open.md', null, { frontMatter: { tags: ['common'] } }),
  file('blog/2026-03-01-open.md', null, { frontMatter: { tags: ['common'], authors: ['hanako'] } }),
]

/** Problems of a page with this third line. */
function problemsOf(line: string, name = 'docs/a.md', audience: string | null = null): string {
  try {
    divideSite(EDITIONS, [file(name, audience, { text: `# A\n\n${line}` }), ...NARROWER, ...COMMON])
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

it.each([
  ['a link to a file', '[当番](./ops/duty.md)', 'docs/ops/duty.md'],
  ['a link by its address', '[当番](/docs/ops/duty#夜間)', '/docs/ops/duty'],
  ['a link by an address from the page', '[当番](./ops/duty)', '/docs/ops/duty'],
  ['an address that its front matter says', '<a href="/docs/on-call/">当番</a>', '/docs/on-call'],
  ['a link by reference', '[当番]: /docs/ops/duty', '/docs/ops/duty'],
  ['a picture', '![図](./ops/plan.png)', 'docs/ops/plan.png'],
  ['an attachment', '[表](/files/rota.pdf)', 'static/files/rota.pdf'],
  ['a partial', "import Part from './_part.mdx'", 'docs/_part.mdx'],
  ['a component', "import Rota from '@site/src/components/Rota'", 'src/components/Rota.tsx'],
  ['a page of code', '[表](/rota)', '/rota'],
  ['a document of a version', '[旧](/docs/1.0/old)', '/docs/1.0/old'],
  ['a post', '[表](/blog/2026/02/01/roster)', '/blog/2026/02/01/roster'],
  ['a tag that only such pages have', '[表](/blog/tags/shifts)', '/blog/tags/shifts'],
  ['the page of an author of such pages alone', '[人](/blog/authors/kiyoshi)', '/blog/authors/kiyoshi'],
])('refuses %s of a narrower audience by file and line', (_, line, what) => {
  expect(problemsOf(line)).toBe(
    `docs/a.md:3: names ${what}, which only staff may read; edition audit holds this file without it`,
  )
})

it('refuses it on a page that is code, too, and from one narrow audience to another', () => {
  expect(problemsOf("import Rota from '../components/Rota'", 'src/pages/index.tsx')).toContain(
    'src/pages/index.tsx:3: names src/components/Rota.tsx',
  )
  expect(problemsOf('[当番](/docs/ops/duty)', 'docs/a.md', 'audit')).toContain(
    'edition audit holds this file',
  )
})

it.each([
  ['what everybody reads', '[開](./open.md) [開](/blog/tags/common) [人](/blog/authors/hanako)', null],
  ['an address elsewhere that ends alike', 'https://example.com/docs/ops/duty /x/docs/ops/duty', null],
  ['what its own readers may read', '[当番](/docs/ops/duty) ![図](./ops/plan.png)', 'staff'],
  ['what partners lack as a group, but get with staff in one edition', '[当番](/docs/ops/duty)', 'partner'],
])('lets a page name %s', (_, line, audience) => {
  expect(problemsOf(line, 'docs/a.md', audience)).toBe('')
})

describe('a file that is served as it is', () => {
  const STAFF = (text: string) => file('docs/ops/a.md', 'staff', { text })
  /** The editions that hold the last file, when these are the others. */
  const editionsWith = (
    name: string,
    others: readonly ReturnType<typeof file>[],
    text: string | null = null,
  ) =>
    [...divideSite(EDITIONS, [...others, file(name, null, { text })]).held].flatMap(([edition, held]) =>
      held.has(name) ? [edition] : [],
    )

  it.each([
    ['blanks', 'static/img/plan of shifts.png', '![図](</img/plan of shifts.png>)'],
    ['blanks in an address', 'static/img/plan of shifts.png', '![図](/img/plan%20of%20shifts.png)'],
    ['brackets', 'static/img/plan(1).png', '![図](/img/plan(1).png)'],
    ['brackets of full width', 'static/img/図（案）.png', '![図](/img/図（案）.png)'],
    ['the same, beside the page', 'docs/ops/図・案.png', '![図](./図・案.png)'],
    ['a composed name', 'static/img/か\u3099.png', '![図](/img/が.png)'],
    ['a long ending', 'static/files/net.excalidraw', '[図](/files/net.excalidraw)'],
    ['a short one', 'static/files/main.c', '[源](/files/main.c)'],
    ['none', 'static/files/LICENSE', '[文](pathname:///files/LICENSE)'],
    ['another folder', 'public/files/rota.pdf', '[表](/files/rota.pdf)'],
    ['a path of the site before it', 'static/files/rota.pdf', '[表](/portal/files/rota.pdf)'],
  ])('goes where its page goes, with %s', (_, name, line) => {
    expect(editionsWith(name, [STAFF(line)])).toEqual(['staff'])
  })

  it.each(['static/files/keys.json', 'static/slides/duty.html', 'static/files/duty.yaml'])(
    'goes there with text in it, too: %s',
    (name) => {
      expect(editionsWith(name, [STAFF(`[表](${name.slice('static'.length)})`)], '{}')).toEqual(['staff'])
    },
  )

  it('takes along what it names itself, and no further', () => {
    const slides = file('static/slides/duty.html', null, { text: '<img src="/img/duty.png">' })
    expect(editionsWith('static/img/duty.png', [STAFF('[絵](/slides/duty.html)'), slides])).toEqual(['staff'])
    const open = file('docs/open.md', null, { text: '![絵](/img/duty.png)' })
    expect(editionsWith('static/img/duty.png', [STAFF('[絵](/slides/duty.html)'), slides, open])).toEqual([
      ...['staff', 'audit', 'everyone'],
    ])
  })

  it.each([
    ['nothing names', []],
    ['names itself', [], '<a href="/a.html">'],
    ['only names others that name it', [file('static/b.html', null, { text: '/a.html' })], '/b.html'],
  ])(
    'is in no edition where it %s and none holds everything',
    (_, others: readonly ReturnType<typeof file>[], text = '') => {
      expect(editionsWith('static/a.html', others, text)).toEqual([])
    },
  )

  const WHOLE = {
    editions: [
      { name: 'all', audiences: ['staff', 'audit'] },
      { name: 'staff', audiences: ['staff'] },
      { name: 'everyone', audiences: [] },
    ],
    shared: ['static/robots.txt', 'static/fonts/**'],
  }
  /** The editions that hold each file, and the unnamed ones, of files beside one open page. */
  function divide(...files: readonly ReturnType<typeof file>[]) {
    const { held, unnamed } = divideSite(readEditionsText(JSON.stringify(WHOLE)), [...files, ...COMMON])
    const editionsOf = ({ name }: { name: string }) =>
      [...held].flatMap(([edition, names]) => (names.has(name) ? [edition] : []))
    return { held: files.map(editionsOf), unnamed }
  }

  it('is held by the edition that contains everything where nothing names it, unless a rule says otherwise', () => {
    expect(
      divide(
        file('static/files/rota.pdf', null, { text: null }),
        file('static/old/notes.md', null, { text: '# 控え' }),
        file('static/data.json', null, { text: '{}' }),
        file('static/robots.txt', null, { text: null }),
        file('static/fonts/a/b.woff2', null, { text: null }),
        file('static/duty.pdf', 'staff', { text: null }),
      ),
    ).toEqual({
      held: [
        ['all'],
        ['all'],
        ['all'],
        ['all', 'staff', 'everyone'],
        ['all', 'staff', 'everyone'],
        ['all', 'staff'],
      ],
      unnamed: ['static/files/rota.pdf', 'static/old/notes.md', 'static/data.json'],
    })
  })

  it.each([
    ["staticDirectories: ['static', './public/'],", 'public/a.pdf', ['all']],
    ['staticDirectories: ["public", `assets`],', 'assets/a.js', ['all']],
    ['staticDirectories: folders,', 'anywhere/a.pdf', ['all']],
    ["staticDirectories: [...folders, 'public'],", 'anywhere/a.pdf', ['all']],
    ["favicon: 'img/icon.ico',", 'static/img/icon.ico', ['all', 'staff', 'everyone']],
    ['', 'data/read-by-a-plugin.bin', ['all', 'staff', 'everyone']],
  ])('is told by the config that says %s', (text, name, editions) => {
    const config = file('docusaurus.config.ts', null, { text: `export default { ${text} }` })
    const isCode = name.endsWith('.js')
    expect(divide(file(name, null, { text: isCode ? '' : null }), config).held[0]).toEqual(editions)
  })

  it('is not meant by an address elsewhere', () => {
    const line = 'https://example.com/files/rota.pdf'
    expect(editionsWith('static/files/rota.pdf', [STAFF(line)])).toEqual([])
  })
})

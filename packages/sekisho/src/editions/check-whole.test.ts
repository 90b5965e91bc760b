import { expect, it } from 'vitest'
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

/** What is said of a page whose third line is this. */
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
    `docs/a.md:3: names ${what}, which only staff may read; edition audit holds this page without it`,
  )
})

it('refuses it on a page that is code, too, and from one narrow audience to another', () => {
  expect(problemsOf("import Rota from '../components/Rota'", 'src/pages/index.tsx')).toContain(
    'src/pages/index.tsx:3: names src/components/Rota.tsx',
  )
  expect(problemsOf('[当番](/docs/ops/duty)', 'docs/a.md', 'audit')).toContain(
    'edition audit holds this page',
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

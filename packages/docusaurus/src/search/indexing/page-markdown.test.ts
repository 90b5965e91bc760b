import { describe, expect, it } from 'vitest'
import { markdownFileOf, markdownPathOf } from '../../page-tools/text-pages.ts'
import { pageMarkdown } from './page-markdown.ts'

const page = (content: string, name = 'docs-doc-page') => ({
  path: '/docs/a',
  title: '手順',
  html: `<html class="docs-wrapper ${name}"><body><nav>メニュー</nav><main><article><nav>パンくず</nav><div class="theme-doc-markdown markdown">${content}</div><footer>最終更新</footer></article></main></body></html>`,
})
const FORMULA =
  '<span class="katex"><math><annotation encoding="application/x-tex">a_1</annotation></math><span class="katex-html">a</span></span>'
const CODE =
  '<div class="language-ts theme-code-block"><div class="codeBlockTitle_x">a.ts</div><pre class="language-ts"><code><div class="token-line"><span>if</span> (a)<br></div><div class="token-line">  b()<br></div></code></pre><button>コピー</button></div>'

describe('pageMarkdown', () => {
  it.each([
    [
      'a heading without its link',
      '<h2 id="x">準<wbr>備<a class="hash-link" href="#x">\u200b</a></h2>',
      '## 準備',
    ],
    ['code with its language and title', CODE, '```ts title="a.ts"\nif (a)\n  b()\n```'],
    [
      'a formula of its own on lines of its own',
      `<p>式は</p><span class="katex-display">${FORMULA}</span><p>です</p>`,
      '式は\n\n$$\na_1\n$$\n\nです',
    ],
    ['a formula as its TeX', `<p>値は ${FORMULA} です</p>`, '値は $a_1$ です'],
    [
      'a note',
      '<div class="theme-admonition"><div><span><svg></svg></span>注意</div><div><p>壊れます</p></div></div>',
      '> **注意**\n>\n> 壊れます',
    ],
    [
      'tabs, each below its label',
      '<div class="tabs-container"><ul><li role="tab">Mac</li><li role="tab">Linux</li></ul><div><div role="tabpanel">A</div><div role="tabpanel" hidden>B</div></div></div>',
      '**Mac**\n\nA\n\n**Linux**\n\nB',
    ],
    [
      'a table',
      '<table><thead><tr><th>名</th></tr></thead><tbody><tr><td>a|b</td></tr></tbody></table>',
      '| 名    |\n| ---- |\n| a\\|b |',
    ],
    ['text that looks like HTML', '<p>&lt;script&gt;</p>', '\\<script>'],
  ])('writes %s', (_name, html, markdown) => {
    expect(pageMarkdown(page(html))).toBe(`# 手順\n\n${markdown}\n`)
  })

  it('has the heading of the text once, and nothing of the page around it', () => {
    expect(pageMarkdown(page('<header><h1>見出し</h1></header><p>本文</p>'))).toBe('# 見出し\n\n本文\n')
  })

  it('is none for a listing', () => {
    expect(pageMarkdown(page('<p>一覧</p>', 'blog-list-page'))).toBeNull()
  })
})

it.each([
  ['docs/a/index.html', 'docs/a.md'],
  ['a.html', 'a.md'],
  ['index.html', 'index.md'],
])('the Markdown of %s is %s', (file, expected) => {
  expect(markdownFileOf(file)).toBe(expected)
})

it.each([
  ['/docs/a/', '/', '/docs/a.md'],
  ['/docs/a', '/', '/docs/a.md'],
  ['/base/', '/base/', '/base/index.md'],
])('of %s below %s it is at %s', (path, baseUrl, expected) => {
  expect(markdownPathOf(path, baseUrl)).toBe(expected)
})

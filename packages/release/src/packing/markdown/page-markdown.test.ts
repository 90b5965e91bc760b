import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { pageMarkdown } from './page-markdown.ts'

const PAGE = { path: '/docs/a/', title: '手順' }
const docusaurus = (content: string, head = '') =>
  `<html class="docs-wrapper docs-doc-page"><head>${head}</head><body><nav>メニュー</nav><main><article><nav>パンくず</nav><div class="theme-doc-markdown markdown">${content}</div><footer>最終更新 <time datetime="2026-11-20T00:00Z">20日</time></footer></article></main></body></html>`
const textOf = (html: string) => pageMarkdown(parse(html), PAGE).replace(/^---\n[\s\S]*?\n---\n\n/, '')
const FORMULA =
  '<span class="katex"><math><annotation encoding="application/x-tex">a_1</annotation></math><span class="katex-html">a</span></span>'
const CODE =
  '<div class="language-ts theme-code-block"><div class="codeBlockTitle_x">a.ts</div><pre class="language-ts"><code><div class="token-line"><span>if</span> (a)<br></div><div class="token-line">  b()<br></div></code></pre><button>コピー</button></div>'

describe('the Markdown of a page', () => {
  it.each([
    [
      'a heading without its link',
      '<h2 id="準備">準<wbr>備<a class="hash-link" href="#x">\u200b</a></h2>',
      '## 準備',
    ],
    [
      'a heading with an id that is not made of its text',
      '<h3 id="first">はじめに</h3>',
      '### はじめに {#first}',
    ],
    ['code with its language and title', CODE, '```ts title="a.ts"\nif (a)\n  b()\n```'],
    ['code that holds a fence', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
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
      '<table><thead><tr><th>名</th></tr></thead><tbody><tr><td>a|b <code>c|d</code></td></tr></tbody></table>',
      '| 名 |\n| --- |\n| a\\|b `c\\|d` |',
    ],
    [
      'lists, one inside the other',
      '<ol start="2"><li><p>a</p><pre>x</pre></li><li>b<ul><li>c</li><li><input type="checkbox" checked> d</li></ul></li></ol>',
      '2. a\n\n   ```\n   x\n   ```\n\n3. b\n\n   - c\n   - [x] d',
    ],
    [
      'links to the site as paths, and others as they are',
      '<p><a href="../b/#%E8%A1%A8">表</a> <a href="#x">上</a> <a href="https://a.test/?q=1">外</a> <a href="javascript:x()">無</a></p>',
      '[表](/docs/b/#表) [上](#x) [外](https://a.test/?q=1) 無',
    ],
    ['pictures by what they show', '<p><img src="/img/a.png" alt="図 1"></p>', '![図 1](/img/a.png)'],
    [
      'text that looks like Markdown',
      '<p># a *b* [c] `d` snake_case _e_</p>',
      '\\# a \\*b\\* \\[c\\] \\`d\\` snake_case \\_e\\_',
    ],
    ['text that looks like HTML', '<p>&lt;script&gt;</p>', '\\<script>'],
    ['emphasis without the spaces at its ends', '<p>a<strong> b </strong>c</p>', 'a **b** c'],
    [
      'a diagram as what it is drawn from',
      '<div hidden data-mermaid="graph TD\n  A --&gt; B"></div><p>b</p>',
      '```mermaid\ngraph TD\n  A --> B\n```\n\nb',
    ],
    ['nothing that nobody sees', '<p>a<span style="display: none">b</span><span hidden>c</span></p>', 'a'],
  ])('writes %s', (_name, html, markdown) => {
    expect(textOf(docusaurus(html))).toBe(`# 手順\n\n${markdown}\n`)
  })

  it('has the heading of the text once, and nothing of the page around it', () => {
    expect(textOf(docusaurus('<header><h1>見出し</h1></header><p>本文</p>'))).toBe('# 見出し\n\n本文\n')
  })

  it.each([
    ['its article', '<header>上</header><main><nav>目次</nav><article><p>本文</p></article></main>'],
    ['its body', '<header>上</header><nav>目次</nav><p>本文</p><footer>下</footer>'],
  ])('of any generator is %s', (_name, body) => {
    expect(textOf(`<html><body>${body}</body></html>`)).toBe('# 手順\n\n本文\n')
  })

  it('begins with what the page says of itself', () => {
    const head =
      '<meta name="description" content="要点: &quot;A&quot;"><meta name="author" content="基盤チーム">'
    expect(pageMarkdown(parse(docusaurus('<p>a</p>', head)), PAGE)).toBe(
      '---\ntitle: "手順"\ndescription: "要点: \\"A\\""\nupdated: "2026-11-20"\nowner: "基盤チーム"\n---\n\n# 手順\n\na\n',
    )
  })
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { pageMarkdown } from './page-markdown.ts'

const GENERATORS = join(import.meta.dirname, 'generators')
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
      'a list beside the items of another, as a part of the item before it',
      '<ol><li>甲</li><ul><li>い</li><li>ろ</li></ul><li>乙</li></ol>',
      '1. 甲\n   - い\n   - ろ\n2. 乙',
    ],
    [
      'a formula of its own on lines of its own',
      `<p>式は</p><span class="katex-display">${FORMULA.replace('<math', '<math display="block"')}</span><p>です</p>`,
      '式は\n\n$$\na_1\n$$\n\nです',
    ],
    [
      'a formula that is MathML alone',
      '<p>値 <mjx-container><mjx-math aria-hidden="true">x2</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><msqrt><mi>n</mi><mo>%</mo></msqrt></mfrac></math></mjx-assistive-mml></mjx-container></p>',
      '値 $x^2=\\frac{1}{\\sqrt{n\\%}}$',
    ],
    [
      'the language of code as other highlighters name it',
      '<pre class="src src-r">a</pre><pre lang="ruby">b</pre><pre class="brush: js; gutter: false">c</pre><pre class="sourceCode haskell">d</pre><figure class="highlight go"><pre>e</pre></figure>',
      '```r\na\n```\n\n```ruby\nb\n```\n\n```js\nc\n```\n\n```haskell\nd\n```\n\n```go\ne\n```',
    ],
    [
      'a reference to a footnote without the brackets of Sphinx',
      '<p>a <a role="doc-noteref" href="#n"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p>',
      'a [1](#n)',
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
      'a panel that has its name itself',
      '<div role="tabpanel" aria-label="Mac">A</div><div role="tabpanel" title="Linux" hidden>B</div>',
      '**Mac**\n\nA\n\n**Linux**\n\nB',
    ],
    [
      'tabs of which one has contents',
      '<div><div role="tablist"><button role="tab" id="t">npm</button><button role="tab">pnpm</button></div><div role="tabpanel" aria-labelledby="t"><pre>npm i</pre></div></div>',
      '**npm**\n\n```\nnpm i\n```',
    ],
    ['a list that goes on', '<ol><li value="3">三</li><li>四</li></ol>', '3. 三\n4. 四'],
    ['a page within a form', '<form><p>本文</p><select><option>甲</select></form>', '本文'],
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
    [
      'merged cells, each value below its heading',
      '<table><thead><tr><th>門</th><th colspan="2">時刻</th><th>人</th></tr></thead><tr><td rowspan="2">北</td><td>6</td><td>18</td><td>甲</td></tr><tr><td colspan="2">休み</td><td>乙</td></tr></table>',
      '| 門 | 時刻 |  | 人 |\n| --- | --- | --- | --- |\n| 北 | 6 | 18 | 甲 |\n|  | 休み |  | 乙 |',
    ],
    [
      'code in a cell in lines of its own',
      '<table><tr><th>例</th></tr><tr><td><pre>a|b\nc</pre></td></tr></table>',
      '| 例 |\n| --- |\n| `a\\|b`<br>`c` |',
    ],
    [
      'readings behind the text, and none in headings',
      '<h2 id="b"><ruby>印鑑<rt>いんかん</rt></ruby>登録</h2><p><ruby>取<rp>(</rp><rt>とり</rt><rp>)</rp>扱<rt>あつかい</rt></ruby>は<ruby>後<rt></rt></ruby>で</p>',
      '## 印鑑登録 {#b}\n\n取扱（とりあつかい）は後で',
    ],
    [
      'words in one piece, however they are broken',
      '<h2 id="国際化の手引き">国際\u200b化の\u2060手\u200c引き</h2><p>Inter&shy;national の環境構\n築を勤怠<wbr>管理に<br></p>',
      '## 国際化の手引き\n\nInternational の環境構築を勤怠管理に',
    ],
    ['powers and indices', '<p>x<sup>2</sup>、H<sub>2</sub>O、1<sup>st</sup></p>', 'x²、H₂O、1<sup>st</sup>'],
    [
      'a card with the address that it leads to',
      '<a href="/b/"><div><img src="/i.png" alt="絵"><h3>題</h3><p>説明</p></div></a>',
      '![絵](/i.png)\n\n### [題](/b/)\n\n説明',
    ],
    [
      'a heading that opens a part, without its link',
      '<details><summary><h2 id="more">詳細<a href="#more" aria-label="詳細へのリンク">🔗</a></h2></summary><p>文</p></details>',
      '## 詳細 {#more}\n\n文',
    ],
    [
      'a document shown within the page as a link to it',
      '<iframe src="/files/規程.pdf" title="規程"></iframe>',
      '[規程](/files/規程.pdf)',
    ],
    [
      'no blocks that stand in for a document or a film',
      '<object data="/a.pdf"><p>表示できません。<a href="/b.pdf">保存</a></p></object><video><source src="/c.mp4"><div>非対応</div></video>',
      '[a.pdf](/a.pdf)[c.mp4](/c.mp4)',
    ],
    [
      'choices without contents as words',
      '<div><div><label for="x">甲</label><label for="y">乙</label></div><input type="radio" id="x"><input type="radio" id="y"></div><p>文</p>',
      '甲乙\n\n文',
    ],
    ['nothing that nobody sees', '<p>a<span style="display: none">b</span><span hidden>c</span></p>', 'a'],
  ])('writes %s', (_name, html, markdown) => {
    expect(textOf(docusaurus(html))).toBe(`# 手順\n\n${markdown}\n`)
  })

  it.each(globSync('*.html', { cwd: GENERATORS }))('is right for a page as written by %s', (name) => {
    const page = parse(readFileSync(join(GENERATORS, name), 'utf8'))
    expect(pageMarkdown(page, { path: '/docs/a/', title: '門を開く' })).toBe(
      readFileSync(join(GENERATORS, name.replace('.html', '.md')), 'utf8')
        .trimEnd()
        .concat('\n'),
    )
  })

  const MANY = 60_000
  it.each([
    ['a heading of signs', `<h2>${'*_`['.repeat(MANY)}</h2>`],
    ['links of a heading', `<h2 id="a">${'<a href="#a">b</a>'.repeat(MANY)}</h2>`],
    ['merged cells', `<table>${'<tr><td colspan="1000" rowspan="60000">a</td></tr>'.repeat(MANY)}</table>`],
    [
      'one wide row over many',
      `<table><tr>${'<td rowspan="60000">a</td>'.repeat(MANY)}</tr>${'<tr><td>b</td></tr>'.repeat(MANY)}</table>`,
    ],
    ['lists of tabs', '<ul role="tablist"><li role="tab">a</li></ul>'.repeat(MANY / 4)],
    ['notes', '<div class="admonition"><p class="title">a</p>b</div>'.repeat(MANY / 4)],
    ['elements one in the other', `${'<div>'.repeat(500)}${'a '.repeat(MANY)}`],
    ['tables one in the other', `${'<table><tr><td>'.repeat(120)}${'a '.repeat(MANY)}`],
    ['blanks and line ends', `<p>${'<i> </i><br>'.repeat(MANY)}a</p>`],
  ])('grows no faster than its page: %s', (_name, html) => {
    const page = parse(html)
    const before = process.threadCpuUsage()
    const { length } = pageMarkdown(page, PAGE)
    const { user } = process.threadCpuUsage(before)
    expect(length).toBeLessThan(html.length * 3)
    expect(user / 1000).toBeLessThan(15_000) // a quadratic reading takes minutes
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

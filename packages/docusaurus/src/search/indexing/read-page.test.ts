import { describe, expect, it } from 'vitest'
import { readPage } from './read-page.ts'

const DOC = 'docs-wrapper plugin-docs plugin-id-default docs-version-current docs-doc-page docs-doc-id-a'

function read(content: string, changes: { classes?: string; head?: string; path?: string } = {}) {
  const { classes = DOC, head = '', path = '/docs/a' } = changes
  const html = `<!doctype html><html lang=ja class="${classes}"><head>${head}</head><body><nav>外</nav><main>${content}</main>`
  return readPage({ path, title: '題', html })
}

const article = (text: string) => `<article><div class="theme-doc-markdown markdown">${text}</div></article>`
const sectionsOf = (text: string) =>
  read(article(text))?.sections.map(({ heading, anchor, text: seen }) => [heading, anchor, seen])

describe('readPage', () => {
  it('reads the visible text and the metadata', () => {
    const head = '<meta name=description content="説明 &amp; 要約"><meta name=keywords content="鍵, 錠">'
    const around = `<article><nav><ul><li><a class=breadcrumbs__link href=/><svg></svg></a><li><a class=breadcrumbs__link href=/g>規約</a><li><span class=breadcrumbs__link>題</span></ul></nav>
      <div class="theme-doc-markdown markdown"><header><h1>題</h1></header><p>本文</div><footer><a rel=tag href=/t>札</a></footer></article>`
    expect(read(around, { head })).toEqual({
      id: '/docs/a',
      url: '/docs/a',
      title: '題',
      kind: 'docs',
      breadcrumbs: ['規約'],
      description: '説明 & 要約',
      keywords: ['鍵', '錠'],
      tags: ['札'],
      sections: [{ heading: '題', level: 1, anchor: '', text: '本文' }],
    })
  })

  it('percent-encodes the URL but not the id', () => {
    expect(read(article('<p>x'), { path: '/docs/環境' })).toMatchObject({
      id: '/docs/環境',
      url: '/docs/%E7%92%B0%E5%A2%83',
    })
  })

  it.each([
    ['a doc', DOC, 'docs'],
    ['a doc of another area', DOC.replace('plugin-id-default', 'plugin-id-knowledge'), 'knowledge'],
    ['a post', 'blog-wrapper blog-post-page plugin-blog plugin-id-default', 'blog'],
    ['a page', 'mdx-wrapper mdx-page plugin-pages plugin-id-default', 'page'],
    [
      'a category',
      'docs-wrapper plugin-docs plugin-id-default docs-version-current docs-doc-page',
      undefined,
    ],
    ['the list of posts', 'blog-wrapper blog-list-page plugin-blog plugin-id-default', undefined],
    ['a tag', 'blog-wrapper blog-tags-post-list-page plugin-blog plugin-id-default', undefined],
    ['the archive', 'plugin-blog plugin-id-default', undefined],
    ['an author', 'blog-wrapper blog-authors-posts-page plugin-blog plugin-id-default', undefined],
  ])('%s', (_what, classes, kind) => {
    expect(read(article('<p>x'), { classes })?.kind).toBe(kind)
  })

  it.each([
    ['robots', 'noindex, nofollow', true],
    ['sekisho-search', 'exclude', false],
  ])('reads what %s asks: %s', (name, content, isFound) => {
    const page = read(article('<p>x'), { head: `<meta name=${name} content="${content}">` })
    expect(page !== null).toBe(isFound)
  })
})

describe('sections', () => {
  it.each([
    [
      'headings with their anchors, without the link sign',
      '<p>前<h2 id=導入>導入<a class=hash-link href=#導入>\u200b</a></h2><p>後',
      [
        ['題', '', '前'],
        ['導入', '導入', '後'],
      ],
    ],
    ['a heading without anchor', '<h2>見出し</h2><p>文', [['題', '', '見出し\n文']]],
    [
      'words in one line, blocks in lines',
      '<p>a <b>b</b>c\n d</p><ul><li>e<li>f</ul>',
      [['題', '', 'a bc d\ne\nf']],
    ],
    ['tables by cell and row', '<table><tr><th>x<th>y<tr><td>1<td>2</table>', [['題', '', 'x\ty\n1\t2']]],
    [
      'code with its title, indentation and line breaks',
      '<div><div>a.ts</div><pre><code><div>if (a) {<br></div><div>  b()<br></div><div>}<br></div></code></pre><button>コピー</button></div>',
      [['題', '', 'a.ts\nif (a) {\n  b()\n}']],
    ],
    [
      'every tab, hidden or not',
      '<div><ul role=tablist><li role=tab>npm<li role=tab>pnpm</ul><div role=tabpanel>一</div><div role=tabpanel hidden>二</div></div>',
      [['題', '', 'npm\npnpm\n一\n二']],
    ],
    [
      'nothing that nobody sees, and what a search of the browser opens',
      '<p>一<span style="display: none">二</span><span hidden>三</span></p><div hidden=until-found>四</div>',
      [['題', '', '一\n四']],
    ],
    [
      'admonitions',
      '<div class=theme-admonition><div><span><svg><title>i</title></svg></span>注意</div><div><p>文</div></div>',
      [['題', '', '注意\n文']],
    ],
    ['alternative texts', '<p>図<img alt=関所の絵 src=x>です', [['題', '', '図 関所の絵 です']]],
    [
      'folded details',
      '<details><summary>問い</summary><div>答え</div></details>',
      [['題', '', '問い\n答え']],
    ],
    [
      'formulas once',
      '<p><span class=katex><span class=katex-mathml><math><semantics><mrow><mi>ρ</mi></mrow><annotation>\\rho</annotation></semantics></math></span><span class=katex-html aria-hidden=true>ρ</span></span>',
      [['題', '', 'ρ']],
    ],
    ['no footnote signs', '<p>文<sup><a data-footnote-ref href=#1>1</a></sup>。', [['題', '', '文。']]],
    [
      'no scripts, forms or navigation',
      '<script>x</script><form><input></form><nav>目次</nav><p>文',
      [['題', '', '文']],
    ],
  ])('%s', (_what, html, sections) => {
    expect(sectionsOf(html)).toEqual(sections)
  })
})

import { parseFragment } from 'parse5'
import { expect, it } from 'vitest'
import { readSections } from './page-sections.ts'

const sectionsOf = (html: string) =>
  readSections(parseFragment(html), 'Wombats').map(({ heading, anchor, text }) => [heading, anchor, text])

it.each([
  ['a heading of its own id', '<h2 id="dig">Dig</h2><p>Deep.</p>'],
  ['Sphinx', '<section id="dig"><h2>Dig<a class="headerlink" href="#dig">¶</a></h2><p>Deep.</p></section>'],
  ['older Sphinx', '<div class="section" id="dig">\n<h2>Dig</h2><p>Deep.</p></div>'],
  [
    'DocBook',
    '<div class="section"><div class="titlepage"><div><div><h2 class="title"><a id="dig"/>Dig</h2></div></div></div><p>Deep.</p></div>',
  ],
  ['Doxygen', '<h2><a class="anchor" id="dig"></a>\nDig</h2><p>Deep.</p>'],
  ['a page made by hand', '<a name="dig"></a>\n<h2>Dig</h2><p>Deep.</p>'],
])('finds what leads to a section: %s', (_kind, html) => {
  expect(sectionsOf(`<p>First.</p>${html}`)).toEqual([
    ['Wombats', '', 'First.'],
    ['Dig', 'dig', 'Deep.'],
  ])
})

it('a heading that nothing leads to is text, also behind others in a section, or behind a link', () => {
  const html =
    '<div id="dig"><p>First.</p><h2>Dig</h2></div><a name="x">Read</a><h3>More</h3><h3><a href="#y">Sleep</a></h3>'
  expect(sectionsOf(html)).toEqual([['Wombats', '', expect.stringContaining('Dig')]])
})

it('readings of ruby part no words: they stand behind their line', () => {
  const html =
    '<p><ruby>申<rt>もうし</rt>込<rt>こみ</rt></ruby>書<br>の<ruby>控<rt>ひかえ</rt></ruby>え<h2 id="a">章</h2>'
  expect(sectionsOf(html).map(([, , text]) => text)).toEqual(['申込書（もうしこみ）\nの控え（ひかえ）', ''])
})

it('the source of a diagram is text, though readers see only what is drawn of it', () => {
  const html = '<p>Path.</p><div hidden data-mermaid="graph TD; dig --> sleep"></div><div hidden>Secret</div>'
  expect(sectionsOf(html)).toEqual([['Wombats', '', 'Path.\ngraph TD; dig --> sleep']])
})

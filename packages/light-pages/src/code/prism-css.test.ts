import { expect, it } from 'vitest'
import { writePrismCss } from './prism-css.ts'

const light = {
  plain: { color: 'black', backgroundColor: 'white', textShadow: '0 1px grey' },
  styles: [{ types: ['keyword', 'tag'], style: { fontWeight: 'bold' } }],
}

it('writes a theme for each colour mode, of which the other one has nothing', () => {
  const css = writePrismCss(light, { plain: { color: 'white' }, styles: [] })
  const inLight = "html:not([data-theme='dark']) "
  const inDark = "html[data-theme='dark'] "
  expect(css.split('\n')).toEqual([
    `${inLight}.theme-code-block:not(#_) { --prism-color: black; --prism-background-color: white; }`,
    `${inLight}.sekisho-code:not(#_) { background-color: white; }`,
    `${inLight}.sekisho-code:not(#_), ${inLight}.sekisho-code:not(#_) .token-line { color: black; text-shadow: 0 1px grey; }`,
    `${inLight}.sekisho-code:not(#_) .token.tag { font-weight: bold; }`,
    `${inLight}.sekisho-code:not(#_) .token.keyword { font-weight: bold; }`,
    `${inDark}.theme-code-block:not(#_) { --prism-color: white; }`,
    `${inDark}.sekisho-code:not(#_), ${inDark}.sekisho-code:not(#_) .token-line { color: white; }`,
  ])
})

it.each([[undefined], [light]])('writes one theme for both modes once (dark: %j)', (dark) => {
  const css = writePrismCss(light, dark)
  expect(css).not.toContain('data-theme')
  expect(css.match(/bold/g)).toHaveLength(2)
})

it.each([
  ['a number of pixels', 'comment', { fontSize: 12 }, '.token.comment { font-size: 12px; }'],
  ['a share', 'comment', { opacity: 0.5 }, '.token.comment { opacity: 0.5; }'],
  [
    'what is important in an attribute',
    'comment',
    { color: 'red !important' },
    '.token.comment { color: red; }',
  ],
  ['a type that is no name in CSS', '2d+', { color: 'red' }, '.token.\\32 d\\2b  { color: red; }'],
])('writes %s', (_what, type, style, rule) => {
  expect(writePrismCss({ plain: {}, styles: [{ types: [type], style }] }, undefined)).toBe(
    `.sekisho-code:not(#_) ${rule}`,
  )
})

it('has a rule for one language weigh as much as the others', () => {
  const theme = {
    plain: {},
    styles: [
      { types: ['tag'], style: { color: 'red' } },
      { types: ['tag'], style: { color: 'blue' }, languages: ['markup'] },
      { types: ['punctuation'], style: { color: 'grey' } },
    ],
  }
  expect(writePrismCss(theme, undefined).split('\n')).toEqual([
    '.sekisho-code:not(#_) .token.tag { color: red; }',
    '.sekisho-code:not(#_):where(.language-markup) .token.tag { color: blue; }',
    '.sekisho-code:not(#_) .token.punctuation { color: grey; }',
  ])
})

it('writes nothing for a theme that leaves colours to the site', () => {
  expect(writePrismCss({ plain: {}, styles: [] }, undefined)).toBe('')
})

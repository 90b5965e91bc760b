import { expect, it } from 'vitest'
import { writePrismCss } from './prism-css.ts'

it('writes a theme for each colour mode', () => {
  const theme = {
    plain: { color: 'black', backgroundColor: 'white' },
    styles: [{ types: ['keyword', 'tag'], style: { fontWeight: 'bold' } }],
  }
  const css = writePrismCss(theme, { plain: { color: 'white' }, styles: [] })
  expect(css.split('\n')).toEqual([
    ':root { --prism-color: black; --prism-background-color: white; }',
    ':root .token:is(.keyword, .tag) { font-weight: bold; }',
    "html[data-theme='dark'] { --prism-color: white; }",
  ])
})

it('writes nothing for a theme that leaves colours to the site', () => {
  expect(writePrismCss({ plain: {}, styles: [] }, undefined)).toBe('')
})

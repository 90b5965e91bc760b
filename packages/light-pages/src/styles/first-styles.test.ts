import { describe, expect, it } from 'vitest'
import { moveStyles } from './first-styles.ts'
import { readStyleSheet } from './style-sheet.ts'

const PAGE = '<html class=docs><body><div class="navbar menu--open" id=main><p>本文</p></div></body></html>'

describe('the styles of a first paint', () => {
  it.each([
    ['an element', 'p{color:red}'],
    ['a class without quotes', '.docs{color:red}'],
    ['an id', '#main p{color:red}'],
    ['a state', '.navbar:hover>p:not(.gone):is(.gone,.left){color:red}'],
    ['an attribute, which a script may set before', 'html[data-theme=dark] .navbar{color:red}'],
    ['the root', ':root{color:red}'],
    ['a media query', '@media (min-width:997px){.navbar{color:red}}'],
  ])('have what matches %s', (_what, css) => {
    expect(readStyleSheet(css).pickCritical(PAGE)).toBe(css)
  })

  it.each([
    ['an element that is not there', 'table{color:red}'],
    ['a class that is not there', '.navbar .dropdown{color:red}'],
    ['print', '@media print{.navbar{display:none}}'],
  ])('have nothing of %s', (_what, css) => {
    expect(readStyleSheet(css).pickCritical(PAGE)).toBe('')
  })

  it('keep of a list what is there, and animations for it to run', () => {
    const css = '.navbar,.gone{animation:spin 1s;margin:0}@keyframes spin{to{rotate:1turn}}'
    expect(readStyleSheet(css).pickCritical(PAGE)).toBe(
      '.navbar{animation:spin 1s;margin:0}@keyframes spin{to{rotate:1turn}}',
    )
  })
})

describe('a page', () => {
  const sheet = readStyleSheet('p{color:red}table{color:blue}')
  const link = '<link rel=stylesheet href=/assets/css/styles.css />'

  it('carries its first styles, and links the sheet after all that is painted', () => {
    const html = `<head>${link}</head><body><p>本文</p></body>`
    expect(moveStyles(html, () => sheet)).toBe(
      '<head><style data-moved>p{color:red}</style></head><body><p>本文</p><link data-moved rel=stylesheet href=/assets/css/styles.css /></body>',
    )
  })

  it('keeps links that a component rendered and sheets that are not part of the build', () => {
    const html =
      '<head><link data-rh=true rel=stylesheet href=/katex.css /><link rel=stylesheet href=https://cdn.test/a.css></head>'
    expect(moveStyles(html, (href) => (href.startsWith('https') ? null : sheet))).toBe(html)
  })
})

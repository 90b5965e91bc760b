import { describe, expect, it } from 'vitest'
import { keepWoff2, rehypeMathStyles } from './math.ts'

const formula = { type: 'element', properties: { className: ['katex'] } }

describe('rehypeMathStyles', () => {
  it.each([
    ['a formula', [{ type: 'element', children: [formula] }], '/assets/katex.css', 1],
    ['no formula', [{ type: 'text' }, { type: 'element', properties: { className: 'katex' } }], '/k.css', 0],
    ['a formula but no KaTeX', [formula], null, 0],
  ])('a page with %s', (_what, children, href, added) => {
    const tree = { type: 'root', children: [...children] }
    rehypeMathStyles(href)(tree)
    expect(tree.children).toHaveLength(children.length + added)
  })
})

describe('keepWoff2', () => {
  it('leaves one format', () => {
    const css =
      '@font-face{src:url(a.woff2) format("woff2"),url(a.woff) format("woff"),url(a.ttf) format("truetype")}'
    expect(keepWoff2(css)).toBe('@font-face{src:url(a.woff2) format("woff2")}')
  })
})

import { describe, expect, it, vi } from 'vitest'
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

it('warns of a broken formula by file and line, and shows its source in a plain box', async () => {
  const broken = {
    type: 'element',
    tagName: 'span',
    properties: { className: ['katex-error'], style: 'color:#cc0000' },
  }
  const tree = { type: 'root', children: [{ ...broken, children: [{ type: 'text', value: '\\frac{1' }] }] }
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const messages = [{ source: 'rehype-katex', line: 7, cause: new Error('Expected }') }]
  rehypeMathStyles('/k.css')(tree, { path: `${process.cwd()}/docs/a.md`, messages })
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/docs\/a\.md:7: この数式を KaTeX で読めません。Expected }/)],
  ])
  warn.mockRestore()
  expect(tree.children).toMatchObject([
    {
      properties: { className: ['alert', 'alert--secondary'] },
      children: [{ type: 'text' }, { tagName: 'code' }],
    },
  ])
  expect(JSON.stringify(tree)).not.toContain('cc0000')
})

it('speaks to writers in the language of the terminal that builds, and to readers in that of the page', () => {
  vi.stubEnv('SEKISHO_TERMINAL_LANGUAGE', 'en')
  vi.stubEnv('SEKISHO_SITE_LANGUAGE', 'ja')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const tree = { type: 'root', children: [{ type: 'element', properties: { className: ['katex-error'] } }] }
  rehypeMathStyles(null)(tree, { path: 'a.md', messages: [{ source: 'rehype-katex', line: 1 }] })
  expect(warn.mock.calls.flat().join()).toMatch(/^\[WARNING\] [ -~]+$/)
  expect(JSON.stringify(tree)).toMatch(/[ぁ-ん]/)
  warn.mockRestore()
  vi.unstubAllEnvs()
})

describe('keepWoff2', () => {
  it('leaves one format', () => {
    const css =
      '@font-face{src:url(a.woff2) format("woff2"),url(a.woff) format("woff"),url(a.ttf) format("truetype")}'
    expect(keepWoff2(css)).toBe('@font-face{src:url(a.woff2) format("woff2")}')
  })
})

import { expect, it, vi } from 'vitest'
import { rehypeDiagrams } from './diagrams.ts'

it('keeps what a diagram is drawn from before it, wherever it stands', async () => {
  const diagram = { type: 'element', tagName: 'mermaid', properties: { value: 'graph TD' }, children: [] }
  const quote = { type: 'element', tagName: 'blockquote', children: [diagram] }
  await rehypeDiagrams()({ type: 'root', children: [quote] })
  expect(quote.children).toEqual([
    { type: 'element', tagName: 'div', properties: { hidden: true, dataMermaid: 'graph TD' }, children: [] },
    { ...diagram, children: [] },
  ])
})

it('says where a diagram is broken, and shows its source to readers', async () => {
  const sources = ['classDiagram\n  class A', 'graph TD\n  A-->|x', '絵']
  const children = sources.map((value) => ({
    ...{ type: 'element', tagName: 'mermaid', properties: { value }, children: [] },
  }))
  const tree = { type: 'root', children }
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const value = sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n`).join('\n')
  await rehypeDiagrams()(tree, { path: import.meta.filename, value })
  const warned = warn.mock.calls.flat().join('\n')
  vi.restoreAllMocks()
  expect(warned).toMatch(/diagrams\.test\.ts:8: .*Mermaid.*\n.*diagrams\.test\.ts:12: /)
  const text = JSON.stringify(tree)
  expect(text.match(/dataMermaid/g)).toHaveLength(1)
  expect(text.match(/language-mermaid/g)).toHaveLength(2)
})

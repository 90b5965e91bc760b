import { expect, it } from 'vitest'
import { rehypeDiagrams } from './diagrams.ts'

it('keeps what a diagram is drawn from before it, wherever it stands', () => {
  const diagram = { type: 'element', tagName: 'mermaid', properties: { value: 'graph TD' }, children: [] }
  const quote = { type: 'element', tagName: 'blockquote', children: [diagram] }
  rehypeDiagrams()({ type: 'root', children: [quote] })
  expect(quote.children).toEqual([
    { type: 'element', tagName: 'div', properties: { hidden: true, dataMermaid: 'graph TD' }, children: [] },
    { ...diagram, children: [] },
  ])
})

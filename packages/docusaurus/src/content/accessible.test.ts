import { expect, it } from 'vitest'
import { rehypeAccessible } from './accessible.ts'

const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, children: object[] = [], properties = {}) => ({
  type: 'element',
  tagName,
  properties,
  children,
})
const run = (tree: object) => {
  rehypeAccessible()(tree as never)
  return tree
}

it.each(['li', 'p'])('names a check box by its item, directly in the %s', (parent) => {
  const box = element('input', [], { type: 'checkbox' })
  const inside = [box, text(' 見直しを\n頼む')]
  run(parent === 'li' ? element('li', inside) : element('li', [element('p', inside)]))
  expect(box.properties).toEqual({ type: 'checkbox', ariaLabel: '見直しを 頼む' })
})

it('makes a cell of an empty head, and leaves others', () => {
  const row = element('tr', [element('th', [text(' ')]), element('th', [text('設定')])])
  expect(run(row)).toMatchObject({ children: [{ tagName: 'td' }, { tagName: 'th' }] })
})

it('lets a table scroll that was written as an element', () => {
  const table = { type: 'mdxJsxFlowElement', name: 'table', children: [] }
  expect(run(element('div', [table]))).toMatchObject({ children: [{ name: 'ScrollableTable' }] })
})

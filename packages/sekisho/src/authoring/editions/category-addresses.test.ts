import { expect, it } from 'vitest'
import { findMovingCategories } from './category-addresses.ts'

const page = (name: string) => ({ ...file(name), isMarkdown: true })
const file = (name: string) => ({
  ...{ name, audience: null, isMarkdown: false, text: null, frontMatter: {} },
  table: null as Readonly<Record<string, unknown>> | null,
})
const category = (folder: string, said: Readonly<Record<string, unknown>>) => ({
  ...file(`${folder}/_category_.json`),
  table: { link: { type: 'generated-index' }, ...said },
})
const PAGES = ['docs/a/setup/one.md', 'docs/b/setup/two.md', 'docs/c/setup/three.md'].map(page)
const DIVIDED = new Map([
  ['staff', new Set(['docs/a/setup/one.md', 'docs/b/setup/two.md', 'docs/c/setup/three.md'])],
  ['everyone', new Set(['docs/b/setup/two.md', 'docs/c/setup/three.md'])],
])
const said = (...categories: ReturnType<typeof category>[]) =>
  findMovingCategories([...PAGES, ...categories], DIVIDED).map(String)

it('names folders with one label, of which an edition lacks some', () => {
  const found = said(category('docs/a/setup', { label: '設定' }), category('docs/b/setup', { label: '設定' }))
  expect(found).toHaveLength(1)
  expect(found[0]).toContain('docs/a/setup/_category_.json, docs/b/setup/_category_.json')
  expect(said(category('docs/a/setup', {}), category('docs/b/setup', {}))).toHaveLength(1)
})

it.each([
  ['that every edition has', [category('docs/b/setup', {}), category('docs/c/setup', {})]],
  [
    'with other labels',
    [category('docs/a/setup', { label: '甲' }), category('docs/b/setup', { label: '乙' })],
  ],
  [
    'whose addresses are their own',
    [
      category('docs/a/setup', { link: { type: 'generated-index', slug: '/a' } }),
      category('docs/b/setup', {}),
    ],
  ],
  [
    'that have no page of their own',
    [category('docs/a/setup', { link: null }), category('docs/b/setup', {})],
  ],
  ['of another plugin', [category('docs/a/setup', {}), category('guides/setup', {})]],
])('says nothing of folders %s', (_what, categories) => {
  expect(said(...categories)).toEqual([])
})

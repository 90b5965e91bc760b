import { expect, it } from 'vitest'
import { checkFrontMatter } from './front-matter.ts'

const check = (frontMatter: Record<string, unknown>, filePath = '/site/docs/a.md') =>
  checkFrontMatter(filePath, '---\ntitle: 題\nkeywords: 検索\n---\n', { frontMatter }, [
    'title',
    'description',
  ])

it('passes a page on', () => {
  const frontMatter = { title: '題', description: '説明', keywords: ['検索'], anything: 1 }
  expect(check(frontMatter)).toEqual({ frontMatter })
})

it('names everything that is wrong, with file, line and remedy', () => {
  expect(() => check({ title: '題', keywords: '検索' })).toThrow(
    /^\/site\/docs\/a\.md: フロントマターを直してください。\n {2}- description がありません。[^\n]+\n {2}- 3行目の keywords は文字列のリスト/,
  )
})

it.each([
  ['title', 12],
  ['title', ' '],
  ['sidebar_position', '二'],
  ['draft', 'yes'],
])('refuses %s: %j', (name, value) => {
  expect(() => check({ title: '題', description: '説明', [name]: value })).toThrow(`の ${name} は`)
})

it.each(['/site/docs/_part.md', '/site/docs/_parts/a.md'])('asks nothing of the partial %s', (file) => {
  expect(check({}, file)).toEqual({ frontMatter: {} })
})

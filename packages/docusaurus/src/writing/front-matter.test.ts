import { expect, it, vi } from 'vitest'
import { checkFrontMatter, describeYamlError } from './front-matter.ts'

const check = (frontMatter: Record<string, unknown>, file = 'docs/a.md') => {
  const text = '---\ntitle: 題\nkeywords: 検索\n---\n'
  return checkFrontMatter(file, text, { frontMatter, content: '' }, ['title', 'description'])
}

it('passes a page on', () => {
  const frontMatter = { title: '題', description: '説明', keywords: ['検索', 401], anything: 1 }
  expect(check(frontMatter)).toEqual({ frontMatter, content: '' })
})

it('names everything that is wrong, with file, line and remedy, and leaves it out', () => {
  const { problem, frontMatter } = check({ title: '題', keywords: '検索' })
  expect(problem).toMatch(
    /^docs\/a\.md:1: フロントマターを直してください。\n {2}- description がありません。[^\n]+\n {2}- 3 行目の keywords は文字列のリスト（1 つ以上/,
  )
  expect(frontMatter).toEqual({ title: '題' })
})

it.each([
  ['title', 12],
  ['title', ' '],
  ['sidebar_position', '二'],
  ['draft', 'yes'],
  ['keywords', []],
])('refuses %s: %j', (name, value) => {
  expect(check({ title: '題', description: '説明', [name]: value }).problem).toContain(`の ${name} は`)
})

it.each([
  ['descripton', 'description'],
  ['sidebar_postion', 'sidebar_position'],
  ['Title', 'title'],
  ['ｓｌｕｇ', 'slug'],
])('asks whether %s was meant to be %s', (typed, meant) => {
  const frontMatter: Partial<Record<string, string>> = { title: '題', description: '説明', [typed]: 'x' }
  delete frontMatter[meant]
  expect(check(frontMatter).problem).toContain(`行目の ${typed} は ${meant} の書き間違いではありませんか。`)
})

it.each(['slags', 'date', 'sidebar_class_name', 'title_meta'])('takes %s for a name of its own', (name) => {
  expect(check({ title: '題', description: '説明', [name]: 'x' }).problem).toBeUndefined()
})

it.each(['docs/_part.md', 'docs/_parts/a.md'])('asks nothing of the partial %s', (file) => {
  expect(check({}, file).problem).toBeUndefined()
})

it('names the line at which the YAML cannot be read, and leaves other errors alone', () => {
  const error = Object.assign(new Error('x'), { reason: 'bad indentation', mark: { line: 1 } })
  expect(describeYamlError('docs/a.md', '', error)?.problem).toMatch(
    /^docs\/a\.md:2: .*\n.*（bad indentation）/,
  )
  expect(describeYamlError('docs/a.md', '', new Error('x'))).toBeNull()
})

it('says it in English on an English site', () => {
  vi.stubEnv('SEKISHO_SITE_LANGUAGE', 'en')
  const { problem } = check({ title: 'T', keywords: 'search' })
  expect(problem).toMatch(/^docs\/a\.md:1: correct the front matter\.\n {2}- description is missing\./)
  expect(problem).not.toMatch(/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u)
  vi.unstubAllEnvs()
})

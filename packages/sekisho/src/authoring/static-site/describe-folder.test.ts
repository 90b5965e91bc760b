import { expect, it } from 'vitest'
import { describeFolder } from './describe-folder.ts'

it.each([
  ['~｜手引き', '手引き'],
  ['~ — 手引き（第2版）', '手引き（第2版）'],
  ['~ | Guide 3.1 (stable)', 'Guide 3.1 (stable)'],
  ['~│手引き', '手引き'],
  ['~—手引き', '手引き'],
  ['~・手引き', '手引き'],
  ['~ || 手引き', '手引き'],
  ['手引き：~', '手引き'],
  ['手引き: ~', '手引き'],
  ['~ — 手引き 1.0', '手引き 1.0'],
  ['~ (手引き API)', '手引き API'],
  ['~ [手引き]', '手引き'],
  ['【手引き】~', '手引き'],
  ['~～手引き', '手引き'],
  ['~ › 手引き', '手引き'],
  ['~', 'Sekisho'],
])('takes the name of the site off titles such as %s', (title, name) => {
  const titles = ['設計', '運用 (旧)', '障害: 対応', '認可']
  const pages = titles.map((own, at) => ({
    file: at === 0 ? 'index.html' : `${at}.html`,
    title: title.replace('~', own),
    lang: 'ja',
    links: [],
    hasBar: false,
    isRedirect: false,
  }))
  const site = describeFolder('html', pages, { baseUrl: '/' }).get('')
  expect([site?.title, site?.pages.map((page) => page.title)]).toEqual([name, titles])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

const NAMES =
  'Docker Kubernetes PowerShell Terraform Redis Linux Storybook React Babel poison clock user Events'

describe('names of the site that were typed in katakana', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(NAMES.split(' ').map((name) => page(name, name, `${name} について。`)))
  })
  afterAll(() => index.remove())

  it.each([
    ['ドッカー', 'Docker'],
    ['クーバネティス', 'Kubernetes'],
    ['パワーシェル', 'PowerShell'],
    ['テラフォーム', 'Terraform'],
    ['レディス', 'Redis'],
    ['リナックス', 'Linux'],
    ['ストーリーブック', 'Storybook'],
    ['リアクト', 'React'],
    ['バベル', 'Babel'],
  ])('%s is %s', (q, name) => {
    expect(index.find(q)).toEqual([name])
  })

  it('is said to have been read so', () => {
    expect(index.engine.search({ q: 'テラフォーム' }).didYouMean).toBe('Terraform')
  })

  it.each(['スラッグ', 'パンダ', 'モフモフ', 'カピバラ'])('%s is none of them', (q) => {
    expect(index.engine.search({ q })).toMatchObject({ results: [], didYouMean: null })
  })
})

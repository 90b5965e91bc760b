import type { FoundPage } from '@sekisho/contract/search-response'
import { describe, expect, it } from 'vitest'
import { newPages } from '../rewritten.ts'
import {
  askGroups,
  askUrl,
  firstIndex,
  movedIndex,
  recentGroups,
  resultGroups,
  rewrittenGroups,
} from './choices.ts'

const snippet = { text: '文', marks: [], cutStart: false, cutEnd: false }
const section = (anchor: string) => ({
  heading: anchor,
  headingMarks: [],
  anchor,
  url: `/a#${anchor}`,
  snippet,
})
const NO_CHOICES = { folders: [], tags: [], versions: [], days: null }
const PAGE: FoundPage = {
  id: '/a',
  url: '/a',
  title: '題',
  titleMarks: [],
  kind: 'docs',
  breadcrumbs: [],
  sections: [section('一'), section(''), section('二')],
}

describe('choices', () => {
  it('are a page and its sections; the text at its top belongs to the page', () => {
    const [group] = resultGroups({ results: [PAGE], didYouMean: null, relaxed: false, choices: NO_CHOICES })
    expect(group?.choices.map((choice) => [choice.kind, choice.id, 'url' in choice && choice.url])).toEqual([
      ['page', 'r1', '/a'],
      ['section', 'r1-1', '/a#一'],
      ['section', 'r1-2', '/a#二'],
    ])
    expect(group?.choices[0]).toMatchObject({ lead: { anchor: '' }, rank: 1 })
  })

  it('begin with the section whose heading is the query, and the page still leads to its top', () => {
    const named = { ...PAGE, target: '/a#二' }
    const [group] = resultGroups({ results: [named], didYouMean: null, relaxed: false, choices: NO_CHOICES })
    expect(group?.choices[0]).toMatchObject({ kind: 'page', url: '/a' })
    expect([firstIndex(group?.choices ?? []), firstIndex([])]).toEqual([2, 0])
  })

  it('end with pages for other words that the words themselves did not find', () => {
    const shown = { results: [PAGE], didYouMean: null, relaxed: false, choices: NO_CHOICES }
    const other = { ...PAGE, id: '/b', url: '/b' }
    expect(newPages({ ...shown, rewrites: ['題'] }, shown)).toBeNull()
    const rewritten = newPages({ ...shown, results: [PAGE, other], rewrites: ['題', '文'] }, shown)
    expect(rewrittenGroups(rewritten, 1)).toMatchObject([
      { name: expect.stringContaining('題 / 文'), choices: [{ kind: 'page', id: 'w1', url: '/b', rank: 2 }] },
    ])
    expect(rewrittenGroups(null, 1)).toEqual([])
  })

  const ask = (isSentence: boolean, results = [PAGE]) => ({
    ...{ results, didYouMean: null, relaxed: false, choices: NO_CHOICES },
    ask: { path: '/__gate/ask', isSentence },
  })

  it('begin with the question where it can be asked, which Enter does only without a page', () => {
    const answer = ask(true)
    const [group, ...others] = askGroups(answer, ' 手形は & いつまで ', '/docs/a')
    expect(others).toEqual([])
    const [line] = group?.choices ?? []
    const url = new URL(line?.kind === 'ask' ? line.url : '', 'https://portal.test')
    expect(url.pathname).toBe('/__gate/ask')
    expect(Object.fromEntries(url.searchParams)).toEqual({ q: '手形は & いつまで', page: '/docs/a' })
    const choices = [...(group?.choices ?? []), ...(resultGroups(answer)[0]?.choices ?? [])]
    expect([firstIndex(choices), firstIndex(group?.choices ?? [])]).toEqual([1, 0])
  })

  it('leave words to the search, though the key asks with them; without answers nothing does', () => {
    expect(askGroups(ask(false), '手形', '/')).toEqual([])
    expect(askUrl(ask(false), '手形', '/')).toMatch(/^\/__gate\/ask\?q=/)
    const { ask: _, ...withoutAnswers } = ask(true)
    expect(askGroups(withoutAnswers, '手形はいつまで有効ですか', '/')).toEqual([])
    expect([askUrl(withoutAnswers, '手形', '/'), askUrl(ask(true), '  ', '/')]).toEqual([null, null])
  })

  it('are recent things before anything is typed, without empty groups', () => {
    const names = { queries: '検索', pages: 'ページ' }
    expect(recentGroups({ queries: ['a'], pages: [] }, names).map(({ name }) => name)).toEqual(['検索'])
  })

  it.each([
    ['ArrowDown', -1, 3, 0],
    ['ArrowDown', 2, 3, 0],
    ['ArrowUp', 0, 3, 2],
    ['ArrowUp', -1, 3, 2],
    ['ArrowDown', 0, 0, null],
    ['a', 0, 3, null],
  ])('%s from %d of %d leads to %s', (key, index, count, moved) => {
    expect(movedIndex(key, index, count)).toBe(moved)
  })
})

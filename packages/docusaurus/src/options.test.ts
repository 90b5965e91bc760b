import { describe, expect, it } from 'vitest'
import { readOptions, SekishoOptionsError } from './options.ts'

describe('readOptions', () => {
  it('fills in every default', () => {
    expect(readOptions({ id: 'default' })).toEqual({
      id: 'default',
      redirects: [],
      codeLanguages: 'listed',
      initialColorMode: 'system',
      recentChanges: 6,
      tools: { opinions: false, markdown: false, zoom: false },
      lightPages: ['routes', 'code', 'styles'],
      bundleTogetherBelow: 2000,
      search: { words: [], synonyms: [] },
    })
  })

  it.each([
    [{ redirect: [] }, '"redirect" is unknown'],
    [{ redirects: {} }, 'redirects must be a list'],
    [{ redirects: [{ from: '/a' }] }, 'redirects[0] must be { from, to }'],
    [{ redirects: [{ from: '/a', to: '/b', status: 301 }] }, 'redirects[0] must be { from, to }'],
    [{ redirects: [{ from: '/a', to: 'https://elsewhere.test/' }] }, 'must be paths of this site'],
    [{ redirects: [{ from: '/a', to: '//elsewhere.test/' }] }, 'must be paths of this site'],
    [{ redirects: [{ from: '/a?b', to: '/c' }] }, 'must be paths of this site'],
    [{ redirects: [{ from: '/a', to: '/a' }] }, 'leads to itself'],
    [{ initialColorMode: 'sepia' }, 'initialColorMode must be'],
    [{ tools: { zoom: 'yes' } }, 'tools must hold opinions, markdown, zoom'],
    [{ tools: { print: true } }, 'tools must hold opinions, markdown, zoom'],
    [{ recentChanges: -1 }, 'recentChanges must be'],
    [{ lightPages: ['route'] }, 'lightPages must be a list of routes, code, styles'],
    [{ bundleTogetherBelow: '1 GB' }, 'bundleTogetherBelow must be'],
    [
      { search: { words: [{ name: '関所', reading: '関所' }] } },
      'search: words[0]: the reading of 関所 must be in kana',
    ],
    [{ search: { synonyms: [['関所']] } }, 'search: synonyms[0] must have 2'],
    [{ search: { stopWords: [] } }, 'search: "stopWords" is unknown'],
  ])('refuses %j', (input, problem) => {
    expect(() => readOptions(input)).toThrow(problem)
  })

  it('leaves off each tool that is not switched on', () => {
    expect(readOptions({ tools: { zoom: true } }).tools).toEqual({
      opinions: false,
      markdown: false,
      zoom: true,
    })
  })

  it('reports every problem at once', () => {
    const attempt = () => readOptions({ colour: 'green', recentChanges: 'many' })
    expect(attempt).toThrow(SekishoOptionsError)
    expect(attempt).toThrow(/colour[\s\S]*recentChanges/)
  })
})

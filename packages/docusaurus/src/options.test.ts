import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readOptions, SekishoOptionsError } from './options.ts'
import { noteSiteLanguage } from './writing/site-language.ts'

beforeEach(() => noteSiteLanguage('en'))

describe('readOptions', () => {
  it('fills in every default', () => {
    expect(readOptions({ id: 'default' })).toEqual({
      id: 'default',
      redirects: [],
      codeLanguages: 'listed',
      codeOwners: 'metadata',
      initialColorMode: 'system',
      recentChanges: 6,
      tools: { feedback: false, markdown: false, zoom: false },
      lightPages: ['routes', 'code', 'styles'],
      bundleTogetherBelow: 2000,
      search: { words: [], synonyms: [] },
      searched: {},
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
    [{ tools: { zoom: 'yes' } }, 'tools must hold feedback, markdown, zoom'],
    [{ tools: { print: true } }, 'tools must hold feedback, markdown, zoom'],
    [{ recentChanges: -1 }, 'recentChanges must be'],
    [{ relatedPages: 'no' }, 'relatedPages must be'],
    [{ lightPages: ['route'] }, 'lightPages must be a list of routes, code, styles'],
    [{ codeOwners: true }, 'codeOwners must be'],
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
      feedback: false,
      markdown: false,
      zoom: true,
    })
  })

  it('reports every problem at once', () => {
    const attempt = () => readOptions({ colour: 'green', recentChanges: 'many' })
    expect(attempt).toThrow(SekishoOptionsError)
    expect(attempt).toThrow(/colour[\s\S]*recentChanges/)
  })

  it('says it in the language of the site, without a stack', () => {
    noteSiteLanguage('ja')
    try {
      readOptions({ colour: 'green', search: { synonyms: [['関所']] } })
    } catch (error) {
      expect((error as Error).stack?.split('\n')).toEqual([
        'sekisho/docusaurus のオプションに誤りがあります。',
        expect.stringMatching(/^- 「colour」というオプションはありません。/),
        '- search: synonyms[0] は 2 語から 20 語とし、各語を 40 文字以内にしてください',
      ])
    }
    expect.assertions(1)
  })

  it('tells the command that builds the site', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sekisho-options-')), 'problems.jsonl')
    vi.stubEnv('SEKISHO_PROBLEMS_FILE', file)
    expect(() => readOptions({ colour: 'green' })).toThrow()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toContain('"colour" is unknown')
    vi.unstubAllEnvs()
  })
})

import type { FoundPage, SearchResponse } from '@sekisho/contract/search-response'
import { describe, expect, it } from 'vitest'
import type { ServedEdition } from '../../kernel/reader.ts'
import { searchLanguages } from './search-languages.ts'

const NO_CHOICES = { folders: [], tags: [], versions: [], days: null }

function pageAt(url: string): FoundPage {
  return { id: url, url, title: url, titleMarks: [], kind: 'docs', breadcrumbs: [], sections: [] }
}

/** A site with an index for each path; `relaxed` names the paths whose pages lack a part of the question. */
function siteOf(
  locales: Readonly<Record<string, string>>,
  found: Readonly<Record<string, readonly string[]>>,
  relaxed: readonly string[] = [],
  langs: Readonly<Record<string, string>> = {},
) {
  const files = new Map(Object.entries(langs).map(([path, lang]) => [path, { page: { lang } }]))
  const { '/': lang = 'en', ...others } = locales
  const served: ServedEdition = {
    ...{ name: 'default', audiences: [], releaseId: 'r', servedAs: 'r', markdown: async () => null },
    earlierSearch: async () => null,
    respond: async () => expect.fail('a search serves no file'),
    site: { title: 'Docs', tagline: '', lang, locales: others },
    edition: { files, redirects: new Map() } as unknown as ServedEdition['edition'],
    search: (base) => (found[base] === undefined ? null : { file: base, sha256: base }),
  }
  const run = async ({ file }: { readonly file: string }, limit: number): Promise<SearchResponse> => ({
    results: (found[file] ?? []).slice(0, limit).map(pageAt),
    ...{ didYouMean: null, relaxed: relaxed.includes(file), choices: NO_CHOICES },
  })
  return async (question: string, wanted = '', limit = 4) => {
    const { results, ...about } = await searchLanguages(question, { wanted, limit }, served, run)
    return { ...about, urls: results.map(({ page }) => page.url), tags: results.map((one) => one.language) }
  }
}

describe('a site in English with pages in Japanese', () => {
  const ask = siteOf({ '/': 'en', '/ja/': 'ja-JP' }, { '/': ['/a', '/b'], '/ja/': ['/ja/a', '/ja/c'] })

  it.each([
    ['ワークスペースの複製', ['/ja/a', '/ja/c', '/b']],
    ['権限', ['/ja/a', '/ja/c', '/b']],
    ['clone a workspace', ['/a', '/b', '/ja/c']],
    ['WORKSPACE_ID', ['/a', '/b', '/ja/c']],
  ])('%s finds %j', async (question, urls) => {
    expect((await ask(question)).urls).toEqual(urls)
  })

  it.each([
    ['ja', ['/ja/a', '/ja/c']],
    ['ja-JP', ['/ja/a', '/ja/c']],
    ['EN', ['/a', '/b']],
    ['fr', ['/a', '/b', '/ja/c']],
  ])('with the argument %s finds %j', async (wanted, urls) => {
    expect((await ask('clone a workspace', wanted)).urls).toEqual(urls)
  })

  it('says the language of each page, and the languages that there are', async () => {
    expect(await ask('権限')).toMatchObject({ tags: ['ja-JP', 'ja-JP', 'en'], languages: ['en', 'ja-JP'] })
  })
})

describe('a site in Japanese with pages in English', () => {
  const ask = siteOf({ '/': 'ja', '/en/': 'en' }, { '/': ['/a'], '/en/': ['/en/a', '/en/b'] })

  it.each([
    ['how to clone a workspace', ['/en/a', '/en/b']],
    ['SSO', ['/a', '/en/b']],
  ])('%s finds %j', async (question, urls) => {
    expect((await ask(question)).urls).toEqual(urls)
  })
})

it('lists a page once whose main language has a folder, too', async () => {
  const ask = siteOf({ '/': 'en', '/ja/': 'ja' }, { '/': ['/en/a', '/en/b'], '/ja/': ['/ja/a'] })
  expect((await ask('複製')).urls).toEqual(['/ja/a', '/en/b'])
})

it('keeps a place for a page that only another language has', async () => {
  const own = ['/1', '/2', '/3', '/4', '/5']
  const ask = siteOf({ '/': 'ja', '/en/': 'en' }, { '/': own, '/en/': ['/en/1', '/en/only'] })
  expect((await ask('複製')).urls).toEqual(['/1', '/2', '/3', '/en/only'])
})

it('takes turns where only another language has pages with all of the question', async () => {
  const found = { '/': ['/1', '/2', '/3'], '/en/': ['/en/x', '/en/y'] }
  const ask = siteOf({ '/': 'ja', '/en/': 'en' }, found, ['/'])
  expect(await ask('複製 SSO')).toMatchObject({ urls: ['/1', '/en/x', '/2', '/en/y'], relaxed: false })
})

it('is relaxed where no listed page has all of the question', async () => {
  const ask = siteOf({ '/': 'ja', '/en/': 'en' }, { '/': ['/1'], '/en/': [] }, ['/'])
  expect(await ask('複製')).toMatchObject({ urls: ['/1'], relaxed: true })
})

it('tells pages of one index apart by the language that each names, unless its title is in another script', async () => {
  const found = ['/d/en/a', '/d/ja/a', '/d/en/b', '/d/ja/表']
  const langs = { '/d/en/a': 'en', '/d/ja/a': 'ja', '/d/en/b': 'en', '/d/ja/表': 'en' }
  const ask = siteOf({ '/': 'ja' }, { '/': found }, [], langs)
  expect(await ask('権限')).toMatchObject({
    urls: ['/d/ja/a', '/d/ja/表', '/d/en/b'],
    tags: ['ja', 'ja', 'en'],
  })
  expect((await ask('clone a workspace')).urls).toEqual(['/d/en/a', '/d/en/b', '/d/ja/表'])
  expect(await ask('権限', 'en')).toMatchObject({ urls: ['/d/en/a', '/d/en/b'], languages: ['ja', 'en'] })
})

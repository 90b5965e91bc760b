import { describe, expect, it } from 'vitest'
import { ShapeReader } from '../errors/json-shape.ts'
import {
  fieldsOfMetas,
  type PageMetadata,
  readFrontMatterMetadata,
  readPageMetadata,
  reviewDue,
  writeMetas,
} from './page-metadata.ts'

const FULL: PageMetadata = {
  owner: 'platform@example.co.jp',
  source: 'ab'.repeat(20),
  status: 'obsolete',
  replacedBy: '/docs/新',
  review: '180d',
  reviewed: '2026-04-01',
  covers: ['src/payments/**', 'src/"a" & b'],
  revision: '2.0',
  acknowledge: { audience: 'staff', due: '2026-12-31', statement: '読みました。', again: 'each' },
}

function read(value: unknown): { readonly page: PageMetadata; readonly problems: readonly string[] } {
  const shape = new ShapeReader()
  const page = readPageMetadata(value, 'page', shape)
  return { page, problems: shape.problems.map(String) }
}

function readFrontMatter(frontMatter: Record<string, unknown>) {
  const shape = new ShapeReader()
  const page = readFrontMatterMetadata(frontMatter, shape)
  return { page, problems: shape.problems.map(String) }
}

it('survives the way through <meta> elements', () => {
  expect(read(fieldsOfMetas(writeMetas(FULL)))).toEqual({ page: FULL, problems: [] })
  expect(fieldsOfMetas([])).toEqual({})
})

it('reads front matter as YAML gives it, with dates and numbers', () => {
  const frontMatter = {
    title: '規程',
    owner: 'SRE',
    review: new Date('2026-09-01'),
    revision: 2,
    covers: 'src/**',
    acknowledge: { audience: 'all', due: new Date('2026-12-31') },
  }
  expect(readFrontMatter(frontMatter)).toEqual({
    page: {
      owner: 'SRE',
      review: '2026-09-01',
      revision: '2',
      covers: ['src/**'],
      acknowledge: { audience: 'all', due: '2026-12-31', again: 'major' },
    },
    problems: [],
  })
})

it('leaves alone what the front matter of other tools calls status and source', () => {
  const frontMatter = { status: 'stable', source: 'https://example.test/', tags: ['a'] }
  expect(readFrontMatter(frontMatter)).toEqual({ page: {}, problems: [] })
})

describe('refuses', () => {
  it.each<[name: string, value: unknown]>([
    ['an unknown key', { owners: 'SRE' }],
    [
      'an unknown key of an acknowledgement',
      { acknowledge: { audience: 'all', due: '2026-12-31', on: 'major' } },
    ],
    ['an acknowledgement without an audience', { acknowledge: { due: '2026-12-31' } }],
    ['an acknowledgement that is due at no day', { acknowledge: { audience: 'all', due: 'soon' } }],
    ['an acknowledgement that is a text', { acknowledge: 'all' }],
    ['another time to ask again', { acknowledge: { audience: 'all', due: '2026-12-31', again: 'never' } }],
    ['an audience that is no group', { acknowledge: { audience: 'All Staff', due: '2026-12-31' } }],
    ['an empty statement', { acknowledge: { audience: 'all', due: '2026-12-31', statement: ' ' } }],
    [
      'a statement of several lines',
      { acknowledge: { audience: 'all', due: '2026-12-31', statement: 'a\nb' } },
    ],
    [
      'a long statement',
      { acknowledge: { audience: 'all', due: '2026-12-31', statement: 'あ'.repeat(501) } },
    ],
    ['a long owner', { owner: 'a'.repeat(201) }],
    ['a long description', { description: 'a'.repeat(301) }],
    ['many patterns', { covers: Array(51).fill('src/**') }],
    ['a pattern that is no text', { covers: [1] }],
    ['a review that is no interval', { review: '0d' }],
    ['a month that does not exist', { reviewed: '2026-13-01' }],
    ['another site', { replacedBy: 'https://evil.test/' }],
    ['another status', { status: 'draft' }],
    ['a prototype', JSON.parse('{"__proto__": {"owner": "x"}}')],
  ])('%s', (_name, value) => {
    expect(read(value).problems).not.toEqual([])
  })

  it('a second <meta> of a field that has one value', () => {
    const metas = ['SRE', 'QA'].map((content) => ({ name: 'sekisho-owner', content }))
    expect(read(fieldsOfMetas(metas)).problems).toHaveLength(1)
  })
})

describe('a review', () => {
  it.each<[page: PageMetadata, due: string | null]>([
    [{}, null],
    [{ review: '180d' }, null],
    [{ review: '30d', updated: '2026-04-01' }, '2026-05-01'],
    [{ review: '30d', updated: '2026-04-01', reviewed: '2026-06-01' }, '2026-07-01'],
    [{ review: '30d', updated: '2026-06-01', reviewed: '2026-04-01' }, '2026-07-01'],
    [{ review: '2026-09-01' }, '2026-09-01'],
    [{ review: '2026-09-01', reviewed: '2026-08-01' }, '2026-09-01'],
    [{ review: '2026-09-01', reviewed: '2026-09-02' }, null],
  ])('of %j is due at %j', (page, due) => {
    expect(reviewDue(page)).toBe(due)
  })
})

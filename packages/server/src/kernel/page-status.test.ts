import type { ReleaseFile } from '@sekisho/release'
import { expect, it } from 'vitest'
import { obsoleteLast, pageStatusOf } from './page-status.ts'

const fileWith = (page: NonNullable<ReleaseFile['page']>): ReleaseFile => ({
  ...{ sha256: 'ab'.repeat(32), bytes: 1, type: 'text/html; charset=utf-8' },
  ...{ delivery: 'page', cache: 'no-store', encodings: {}, page },
})

it('says who owns a page, and whether it may be relied on', () => {
  expect(pageStatusOf(undefined, '2026-11-21')).toBeNull()
  expect(pageStatusOf(fileWith({ lang: 'ja' }), '2026-11-21')).toBeNull()
  expect(pageStatusOf(fileWith({ owner: 'SRE', review: '2026-11-20' }), '2026-11-21')).toEqual({
    owner: 'SRE',
    review_overdue: true,
  })
  expect(pageStatusOf(fileWith({ status: 'obsolete', replacedBy: '/b' }), '2026-11-21')).toEqual({
    obsolete: true,
    replaced_by: '/b',
  })
})

it('puts obsolete pages last, and leaves the order otherwise', () => {
  expect(obsoleteLast(['a', 'old b', 'c', 'old d'], (one) => one.startsWith('old'))).toEqual([
    'a',
    'c',
    'old b',
    'old d',
  ])
})

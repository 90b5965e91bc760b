import { describe, expect, it } from 'vitest'
import { isPreviewName, previewOrigin } from './preview-host.ts'

const PORTAL = new URL('https://docs.example.co.jp')

describe('the name of a preview', () => {
  it.each(['pr-12', 'abc', '123', 'a-b-c', 'x'.repeat(40)])('may be %s', (name) => {
    expect(isPreviewName(name)).toBe(true)
  })
  it.each([
    ...[
      '',
      'a',
      'xn',
      'x'.repeat(41),
      'PR-12',
      'a--b',
      '-ab',
      'ab-',
      'a.b',
      'a/b',
      '..',
      'a_b',
      'プレビュー',
    ],
    ...['abc\n', 'abc ', 'ab%2d', 'index.json', 'ＰＲ-12'],
  ])('must not be %j', (name) => {
    expect(isPreviewName(name)).toBe(false)
    expect(previewOrigin(name, PORTAL)).toBeNull()
  })
})

describe('the origin of a preview', () => {
  it.each([
    ['https://docs.example.co.jp', 'https://pr-12--docs.example.co.jp'],
    ['https://docs.example.co.jp:8443', 'https://pr-12--docs.example.co.jp:8443'],
    ['https://example.com', 'https://pr-12--example.com'],
    ['http://localhost:3000', 'http://pr-12--portal.localhost:3000'],
    ['http://docs.localhost:3000', 'http://pr-12--docs.localhost:3000'],
  ])('of %s is %s', (portal, expected) => {
    expect(previewOrigin('pr-12', new URL(portal))?.origin).toBe(expected)
  })

  it.each(['http://127.0.0.1:3000', 'http://[::1]:3000', `https://${'d'.repeat(60)}.example.com`])(
    'is none of %s',
    (portal) => {
      expect(previewOrigin('pr-12', new URL(portal))).toBeNull()
    },
  )

  it('has room for 63 characters before the first dot and no more', () => {
    const portal = (letters: number) => new URL(`https://${'d'.repeat(letters)}.example.com`)
    expect(previewOrigin('x'.repeat(40), portal(21))?.hostname.indexOf('.')).toBe(63)
    expect(previewOrigin('x'.repeat(40), portal(22))).toBeNull()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

const ENGLISH =
  'Set PORTAL_ORIGIN and restart the gate. How to replace the secret: write a new one and restart. '
const PAGES = [
  page(
    'starting',
    'ゲートを起動する',
    'PORTAL_ORIGIN に公開する URL を設定し、ゲートを再起動（restart）します。',
  ),
  page('staging', 'ステージング環境', '別の秘密（secret）と別の PORTAL_ORIGIN で起動します。'),
  page('restart', 'Restart', `${ENGLISH.repeat(8)}ポータルの日本語のページもあります。`, {
    sections: ['Restarting the gate', 'PORTAL_ORIGIN', 'Replacing the secret'].map((heading) => ({
      ...{ heading, level: 2, anchor: '', text: ENGLISH.repeat(4) },
    })),
  }),
  // Code before a sentence: a page in Japanese nevertheless.
  page(
    'reference',
    'portal_origin',
    `${'const origin = readOrigin(env.PORTAL_ORIGIN)\n'.repeat(9)}値を読みます。`,
  ),
  page('other', '検索の使い方', '表記が違っていても見つかります。'),
]

describe('a page in English on a site in Japanese', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(PAGES)
  })
  afterAll(() => index.remove())

  it.each(['PORTAL_ORIGIN', 'secret', '秘密 secret'])('comes behind others for %s', (q) => {
    const found = index.find(q)
    expect(found.length).toBeGreaterThan(1)
    expect(found.at(-1)).toBe('restart')
  })

  it.each(['how to replace the secret', 'how do I restart the gate', 'restart'])(
    'comes first for who asks in English, or types its title: %s',
    (q) => {
      expect(index.find(q)[0]).toBe('restart')
    },
  )
})

it('a name on a site in English says nothing of a language', async () => {
  const english = ['Restarting', 'Staging', 'Searching'].map((title, at) =>
    page(`${at}`, title, `${ENGLISH}${title}`),
  )
  const guide = page('guide', 'About PORTAL_ORIGIN', ENGLISH.repeat(3))
  const index = await createFixtureIndex([
    ...english,
    guide,
    page('ja', '概要', 'PORTAL_ORIGIN の説明です。'),
  ])
  try {
    expect(index.find('PORTAL_ORIGIN')[0]).toBe('guide')
  } finally {
    index.remove()
  }
})

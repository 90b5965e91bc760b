import { describe, expect, it } from 'vitest'
import { createNameFinder } from './names.ts'
import { type ProtectedRelease, protectedTexts } from './protected-release.ts'
import { collectPublicText } from './public-text.ts'
import { createSuspects } from './suspects.ts'
import { viewsOf } from './views.ts'
import { visitWindows, WINDOW_BYTES } from './windows.ts'

const PAGE = Buffer.from(
  '<!doctype html><html lang="ja"><head><title>手順書 | Sekisho</title></head>' +
    '<body><p>本番の鍵は<code>vault</code>の&quot;関所&quot;に置き、毎週入れ替えます。</p></body></html>',
)
const CHUNK = Buffer.from(
  'x=JSON.parse("\\u672c\\u756a\\u306e\\u9375\\u306f\\u6bce\\u9031\\u5165\\u308c\\u66ff\\u3048")',
)

const release: ProtectedRelease = {
  files: new Map([
    ['/docs/手順書', { sha256: 'a', type: 'text/html; charset=utf-8', title: '手順書 | Sekisho' }],
    ['/assets/js/rotate-keys.4f2a.js', { sha256: 'b', type: 'text/javascript' }],
    ['/blog', { sha256: 'c', type: 'text/html', title: 'Sekisho' }],
  ]),
  redirects: new Map([['/docs/old-key-procedure', '/docs/手順書']]),
  locales: new Map(),
  storedBytes: () => [
    { where: '/docs/手順書', bytes: PAGE, type: 'text/html' },
    { where: '/assets/js/rotate-keys.4f2a.js', bytes: CHUNK, type: 'text/javascript' },
  ],
}
const LOGIN = Buffer.from(
  '<!doctype html><html lang="ja"><head><title>ログイン | Sekisho</title></head><body>',
)
const publicText = collectPublicText([LOGIN], ['Sekisho', '技術ドキュメントポータル'])

function leaks(sent: Buffer): string[] {
  const suspects = createSuspects(publicText)
  for (const view of viewsOf(sent)) suspects.add(1, view)
  return suspects.compare(protectedTexts(release)).map((run) => run.where)
}

describe('runs of protected text', () => {
  const LEAKS: readonly [name: string, sent: Buffer][] = [
    ['the page itself', PAGE],
    ['one sentence inside other markup', Buffer.from('<div>に置き、毎週入れ替えます。</div>')],
    ['exactly 24 bytes', Buffer.from('xx本番の鍵は<code>vau'.slice(2))],
    ['a snippet without the tags', Buffer.from('{"snippet":"鍵はvaultの\\"関所\\"に"}')],
    [
      'JSON escapes of text the page shows plainly',
      Buffer.from('"\\u6bce\\u9031\\u5165\\u308c\\u66ff\\u3048\\u307e\\u3059"'),
    ],
    ['text that only a script holds, escaped', Buffer.from('本番の鍵は毎週入れ替え')],
    [
      'percent-encoded, as in a Location',
      Buffer.from(`/x?t=${encodeURIComponent('に置き、毎週入れ替えます')}`),
    ],
    ['after 100 KB of other text', Buffer.concat([Buffer.alloc(100_000, 'lorem ipsum '), PAGE])],
  ]
  it.each(LEAKS)('finds %s', (_name, sent) => {
    expect(leaks(sent)).not.toEqual([])
  })

  const CLEAN: readonly [name: string, sent: Buffer][] = [
    ['the login page', LOGIN],
    ['text the login page and the release share', Buffer.from('<!doctype html><html lang="ja"><head>')],
    ['23 bytes', Buffer.from('本番の鍵は<code>va')],
    ['unrelated text', Buffer.from('{"type":"about:blank","title":"Sign-in required","status":401}')],
  ]
  it.each(CLEAN)('does not mistake %s', (_name, sent) => {
    expect(leaks(sent)).toEqual([])
  })

  it('ignores windows that say nothing', () => {
    const rows = { ...release, storedBytes: () => [{ where: '/x', bytes: Buffer.alloc(99, '-='), type: '' }] }
    const suspects = createSuspects(publicText)
    suspects.add(1, Buffer.alloc(50, '-='))
    expect(suspects.compare(protectedTexts(rows))).toEqual([])
  })
})

describe('rolling windows', () => {
  it('hash a run the same wherever it stands', () => {
    const run = 'abcdefghijklmnopqrstuvwx'
    const hashOf = (text: string, at: number) => {
      let found = ''
      visitWindows(Buffer.from(text), (a, b, start) => {
        if (start === at) found = `${a} ${b}`
      })
      return found
    }
    expect(run.length).toBe(WINDOW_BYTES)
    expect(hashOf(`something else ${run}!`, 15)).toBe(hashOf(run, 0))
  })
})

describe('names', () => {
  const isPublic = (name: string) => LOGIN.includes(name)
  const finder = createNameFinder(release, isPublic)
  const find = (sent: string, request = '/') =>
    finder.find(publicText.residue(Buffer.from(sent)), request)?.text ?? null

  it.each([
    ['a title', '<li>手順書</li>', '手順書'],
    ['a path', 'Location: /docs/old-key-procedure', '/docs/old-key-procedure'],
    ['an encoded path', 'Link: </docs/%E6%89%8B%E9%A0%86%E6%9B%B8>', '/docs/%E6%89%8B%E9%A0%86%E6%9B%B8'],
    ['a file name alone', '"src":"rotate-keys.4f2a.js"', 'rotate-keys.4f2a.js'],
  ])('finds %s', (_name, sent, name) => {
    expect(find(sent)).toBe(name)
  })

  it.each([
    ["the product's own name", 'ログイン | Sekisho'],
    ['a short ordinary word', '/blog'],
    ['the inside of a longer word', 'xrotate-keys.4f2a.jsx'],
  ])('does not mistake %s', (_name, sent) => {
    expect(find(sent)).toBeNull()
  })

  it('does not count what the request itself said', () => {
    expect(find('not found: /docs/old-key-procedure', '/docs/old-key-procedure')).toBeNull()
  })
})

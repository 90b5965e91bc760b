import { ROUTES } from '@sekisho/contract/routes'
import { describe, expect, it } from 'vitest'
import { NAVIGATION, ORIGIN } from '../../testing/test-gate.ts'
import {
  addPreview,
  ask,
  begin,
  enter,
  handOver,
  portal,
  read,
  signIn,
  ticketFor,
  usePreviews,
} from '../../testing/test-previews.ts'

usePreviews()

describe('a preview', () => {
  it('is read after a hand-over, with its own content, and the portal keeps its own', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    const page = await read(visited, own)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('まだ確認されていない本文')
    expect(page.headers.get('X-Robots-Tag')).toContain('noindex')
    expect(await (await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).text()).not.toContain(
      'pr-1',
    )
    expect(await portal.records()).toContainEqual(
      expect.objectContaining({ event: 'page_read', path: '/docs/guide', preview: 'pr-1' }),
    )
  })

  it('gives a stranger one answer whatever is asked, and nothing of it', async () => {
    const visited = await addPreview('pr-1')
    const answers = await Promise.all(
      ['/', '/docs/guide', '/nowhere', ROUTES.searchPage.path, ROUTES.handOver.path].map(async (path) => {
        const response = await ask(visited, path, { headers: NAVIGATION })
        return [response.status, await response.text()] as const
      }),
    )
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(([, text]) => text)).size).toBe(1)
    expect(answers[0]?.[1]).not.toMatch(/pr-1|feature|0123456|guide|本文/)
    expect((await ask(visited, '/docs/guide')).status).toBe(401)
  })

  it("has cookies that are worthless at the portal, and the portal's at the preview", async () => {
    const visited = await addPreview('pr-1')
    const other = await addPreview('pr-2')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    expect(own).toMatch(/__Host-sekisho=/)
    expect((await read(visited, cookie)).status).toBe(401)
    expect((await read(other, own)).status).toBe(401)
    expect((await portal.ask('/docs/guide', { headers: { Cookie: own } })).status).toBe(401)
    expect((await read(visited, own)).status).toBe(200)
  })

  it('sets cookies for its own host only, hidden from scripts where they are secret', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const response = await enter(visited, await ticketFor(asked, await signIn()), nonce)
    const cookies = response.headers.getSetCookie()
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; .*SameSite=Lax; Secure/)
    expect(cookies.join()).not.toMatch(/Domain/i)
    expect(cookies.find((one) => one.startsWith('__Host-sekisho='))).toContain('HttpOnly')
  })
})

describe('what the portal answers to a preview', () => {
  it.each([
    ['a fetch with cookies', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a picture', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
    ['a script', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
  ])('is nothing of a page for %s', async (_what, headers) => {
    const from = { 'Sec-Fetch-Site': 'same-site', Origin: 'https://pr-1--portal.test' }
    const response = await portal.ask('/docs/guide', {
      headers: { ...from, ...headers, Cookie: await signIn() },
    })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a page of a preview', () => {
  it('ends with a banner; files, and what frames show and scripts fetch, are as they were packed', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    const page = await read(visited, own)
    const text = await page.text()
    expect(text).toMatch(
      /<\/html>\s*<div data-sekisho-notices[^>]*><aside data-sekisho-notice="preview" lang="ja" aria-label="プレビュー"/,
    )
    for (const shown of ['feature/検索', '012345678', '12月5日まで', `href="${ORIGIN.origin}/"`])
      expect(text).toContain(shown)
    expect(text).not.toContain('0123456789')
    expect(Number(page.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect([page.headers.get('etag'), page.headers.get('content-encoding')]).toEqual([null, null])
    const fetched = await ask(visited, '/docs/guide', { headers: { Cookie: own } })
    expect(await fetched.text()).not.toContain('<aside')
    for (const dest of ['iframe', 'empty']) {
      const headers = { ...NAVIGATION, Cookie: own, 'Sec-Fetch-Dest': dest }
      expect(await (await ask(visited, '/docs/guide', { headers })).text()).not.toContain('<aside')
    }
    const missing = await read(visited, own, '/nowhere')
    expect([missing.status, (await missing.text()).includes('<aside')]).toEqual([404, true])
    const head = await ask(visited, '/docs/guide', {
      method: 'HEAD',
      headers: { ...NAVIGATION, Cookie: own },
    })
    expect(head.headers.get('content-length')).toBe(page.headers.get('content-length'))
  })

  it('shows a branch as text', async () => {
    const visited = await addPreview('pr-1', { branch: '</aside><script>alert(1)</script>' })
    const text = await (await read(visited, await handOver(visited, await signIn()))).text()
    expect(text).not.toContain('<script>alert(1)')
  })

  it('cannot install a service worker, which would outlive it', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    const response = await ask(visited, '/docs/guide', {
      headers: { Cookie: own, 'Service-Worker': 'script', 'Sec-Fetch-Dest': 'serviceworker' },
    })
    expect(response.status).toBe(404)
  })
})

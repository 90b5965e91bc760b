import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { createTestGate, NAVIGATION } from '../../testing/test-gate.ts'
import { withPageNotes } from './page-notes.ts'

/** The notes at the end of the guide with these elements in its head, on 21 November 2026. */
async function notesOf(head: string, headers: Record<string, string> = NAVIGATION): Promise<string | null> {
  await using build = await createTestBuild()
  await build.write('docs/guide/index.html', pageHtml('手引き').replace('<head>', `<head>${head}`))
  await packRelease({ ...build, clock: () => Date.UTC(2026, 10, 20) })
  await using portal = await createTestGate({
    releases: await openReleases({ releasesDir: build.releasesDir }),
  })
  const response = await portal.ask('/docs/guide', { headers: { ...headers, Cookie: await portal.signIn() } })
  return /<section data-sekisho-notes[\s\S]*<\/section>\n$/.exec(await response.text())?.[0] ?? null
}

const OWNER = '<meta name="sekisho-owner" content="&lt;b&gt;SRE&lt;/b&gt;">'

it('shows owner and last review, as text', async () => {
  const notes = await notesOf(`${OWNER}<meta name="sekisho-reviewed" content="2026-11-01">`)
  expect(notes).toContain('&#60;b&#62;SRE&#60;/b&#62;')
  expect(notes).toContain('2026年11月1日')
  expect(notes).not.toContain('data-sekisho-banner')
})

it('says quietly that a review is overdue, from the day after', async () => {
  const review = (day: string) => notesOf(`${OWNER}<meta name="sekisho-review" content="${day}">`)
  expect(await review('2026-11-21')).not.toContain('data-sekisho-banner')
  expect(await review('2026-11-20')).toContain('data-sekisho-banner="overdue"')
})

it('says that a page is obsolete, and leads to what replaces it', async () => {
  const notes = await notesOf(
    '<meta name="sekisho-status" content="obsolete"><meta name="sekisho-replaced-by" content="/docs/環境">',
  )
  expect(notes).toContain('data-sekisho-banner="obsolete"')
  expect(notes).toContain('href="/docs/%E7%92%B0%E5%A2%83"')
})

it('says how often the original of a translation has changed, and leads to it', async () => {
  const notes = await notesOf(
    '<meta name="sekisho-behind" content="2"><meta name="sekisho-translation-of" content="/docs/base">',
  )
  expect(notes).toContain('data-sekisho-banner="translation"')
  expect(notes).toContain('原文が 2 回変更されています。 <a style="color:inherit" href="/docs/base/">')
  const hidden =
    '<meta name="sekisho-behind" content="2"><meta name="sekisho-translation-of" content="/secret">'
  expect(await notesOf(hidden)).not.toContain('secret')
  expect(await notesOf(hidden.replace('"2"', '"0"'))).toBeNull()
})

it('adds nothing without a reason, nor to what is no page in a window', async () => {
  expect(await notesOf('<meta name="sekisho-review" content="2027-01-01">')).toBeNull()
  expect(await notesOf(OWNER, { Accept: '*/*' })).toBeNull()
})

it.each([
  ['never answers', () => new Promise<never>(() => {})],
  ['fails', () => Promise.reject(new Error('no store'))],
])('serves a page whose notes come from a store that %s', async (_how, find) => {
  const plain = { response: new Response('page'), csp: { kind: 'page' as const } }
  const respond = withPageNotes(async () => plain as never, {
    ...{ formOf: async () => null, reviewOf: find, countOpen: find, newsOf: find, today: () => '2026-11-21' },
  })
  const files = new Map([['/', { delivery: 'page' }]])
  const reader = { via: 'session', served: { edition: { files }, site: { lang: 'ja' } } }
  const request = new Request('https://portal.test/', { headers: NAVIGATION })
  expect(await respond(request as never, '/', reader as never)).toMatchObject({
    response: plain.response,
    hasUpdates: false,
  })
})

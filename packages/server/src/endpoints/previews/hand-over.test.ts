import { hash } from 'node:crypto'
import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { describe, expect, it } from 'vitest'
import { PAGE_SCRIPT } from '../../kernel/pages/page-script.ts'
import { createSeal } from '../../state/sessions/index.ts'
import { ORIGIN } from '../../testing/test-gate.ts'
import {
  addPreview,
  ask,
  begin,
  enter,
  NOW,
  portal,
  show,
  signIn,
  submit,
  ticketFor,
  tickets,
  usePreviews,
} from '../../testing/test-previews.ts'

usePreviews()

describe('a ticket', () => {
  it('is spent once, by whichever of two comes first', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    const statuses = await Promise.all([1, 2].map(async () => (await enter(visited, ticket, nonce)).status))
    expect(statuses.sort()).toEqual([204, 401])
    expect((await enter(visited, ticket, nonce)).status).toBe(401)
  })

  it('is spent once, however it is written', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const cookie = await signIn()
    let ticket = await ticketFor(asked, cookie)
    const bytes = Buffer.from(ticket, 'base64url')
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => ticket.slice(0, -1) + last)
      .filter((other) => other !== ticket && Buffer.from(other, 'base64url').equals(bytes))
    expect((await enter(visited, ticket, nonce)).status).toBe(204)
    for (ticket of [...others, `${ticket}=`, `${ticket}\n`])
      expect((await enter(visited, ticket, nonce)).status).toBeGreaterThanOrEqual(400)
  })

  it('is good for thirty seconds', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const { nonce, asked } = await begin(visited)
    const inTime = await ticketFor(asked, cookie)
    const late = await ticketFor(asked, cookie)
    portal.state.nowMs += 30_000
    expect((await enter(visited, inTime, nonce)).status).toBe(204)
    portal.state.nowMs += 1
    expect((await enter(visited, late, nonce)).status).toBe(401)
  })

  it('is nothing yet by a clock that is behind, and stays spent for as long as any gate could take it', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    const bearer = { host: visited.live.origin.host, challenge: asked.searchParams.get('challenge') ?? '' }
    const spentUntilMs = tickets.open(ticket, bearer)?.spent.expiresAtMs
    expect(spentUntilMs).toBeGreaterThanOrEqual(portal.state.nowMs + 35_000)
    portal.state.nowMs -= 6_000
    expect((await enter(visited, ticket, nonce)).status).toBe(401)
  })

  it('is worth nothing once its reader has signed out of the portal', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, cookie)
    const headers = { Origin: ORIGIN.origin, Cookie: cookie }
    await portal.ask(ROUTES.session.path, { method: 'DELETE', headers })
    expect((await enter(visited, ticket, nonce)).status).toBe(401)
  })

  it('is guessed at twenty times, and then not so soon again', async () => {
    const visited = await addPreview('pr-1')
    const { nonce } = await begin(visited)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 25; attempt += 1)
      statuses.push((await enter(visited, 'x'.repeat(114), nonce)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  })

  it.each(['https://evil.test', ORIGIN.origin, 'null'])(
    'is asked for by nobody else: not by %s',
    async (origin) => {
      const visited = await addPreview('pr-1')
      const headers = { Origin: origin }
      expect((await ask(visited, PREVIEW_ROUTES.begin.path, { method: 'POST', headers })).status).toBe(403)
    },
  )

  it('is for one host', async () => {
    const [visited, other] = [await addPreview('pr-1'), await addPreview('pr-2')]
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    expect((await enter(other, ticket, nonce)).status).toBe(401)
    expect((await enter(visited, ticket, nonce)).status).toBe(204)
  })

  it('is for the browser whose visit began: an attacker cannot sign a victim in, nor use what was meant for them', async () => {
    const visited = await addPreview('pr-1')
    const [attacker, victim] = [await begin(visited), await begin(visited)]
    const ofAttacker = await ticketFor(
      attacker.asked,
      await signIn({ sub: 'evil', email: 'evil@example.co.jp' }),
    )
    for (const nonce of ['', victim.nonce, `__Host-sekisho-nonce=${'A'.repeat(43)}`])
      expect((await enter(visited, ofAttacker, nonce)).status).toBe(401)
    const ofVictim = await ticketFor(victim.asked, await signIn())
    expect((await enter(visited, ofVictim, attacker.nonce)).status).toBe(401)
    expect((await enter(visited, ofVictim, victim.nonce)).status).toBe(204)
  })

  it('is nothing else that is sealed, nor anything that is altered', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    const altered = ticket.startsWith('A') ? `B${ticket.slice(1)}` : `A${ticket.slice(1)}`
    const sealed = createSeal('t'.repeat(32)).close(
      `${'k'.repeat(43)} ${NOW}`,
      'hand-over pr-1--portal.test x',
    )
    for (const other of [altered, Buffer.from(sealed).toString('base64url'), 'x'.repeat(114)])
      expect((await enter(visited, other, nonce)).status).toBe(401)
  })

  it('leaves with a form of the main origin, in no address, and comes in from there only', async () => {
    const visited = await addPreview('pr-1')
    const { asked, nonce } = await begin(visited)
    const response = await submit(asked, await signIn())
    const [status, text] = [response.status, await response.text()]
    const ticket = /name="ticket" value="([\w-]+)"/.exec(text)?.[1] ?? ''
    expect([status, response.headers.get('location')]).toEqual([200, null])
    expect(text).toContain('<form method="post" action="https://pr-1--portal.test/__gate/preview/arrive">')
    expect(response.headers.get('referrer-policy')).toBe('strict-origin')
    const directives = (response.headers.get('content-security-policy') ?? '').split('; ')
    expect(directives).toContain('form-action https://pr-1--portal.test/__gate/preview/arrive')
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
    const allowed = directives.filter((directive) => directive.startsWith('script-src '))
    expect(scripts).toContain('document.forms[0].submit()')
    expect(allowed).toHaveLength(1) // browsers ignore a second one
    for (const script of scripts) expect(allowed[0]).toContain(`'sha256-${hash('sha256', script, 'base64')}'`)
    const bring = (origin: string) =>
      ask(visited, PREVIEW_ROUTES.arrive.path, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ticket }).toString(),
      })
    for (const origin of [
      'https://evil.test',
      'null',
      'https://pr-2--portal.test',
      'https://pr-1--portal.test',
    ])
      expect((await bring(origin)).status).toBe(403)
    const page = await bring(ORIGIN.origin)
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    expect(await page.text()).toContain(`data-ticket="${ticket}"`)
    for (const origin of ['https://evil.test', ORIGIN.origin, 'null'])
      expect((await enter(visited, ticket, nonce, { Origin: origin })).status).toBe(403)
    expect(portal.exchanges.every(({ request }) => !request.url.includes(ticket))).toBe(true)
  })

  it('cannot carry markup into the page that brings it in', async () => {
    const visited = await addPreview('pr-1')
    const response = await ask(visited, PREVIEW_ROUTES.arrive.path, {
      method: 'POST',
      headers: { Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ticket: `${'x'.repeat(100)}"><script>alert(1)</script>` }).toString(),
    })
    expect(response.status).toBe(400)
  })
})

describe('the page that hands over', () => {
  it('asks, and nothing happens before consent', async () => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    expect(asked.origin).toBe(ORIGIN.origin)
    const response = await show(asked, await signIn())
    const text = await response.text()
    expect(response.status).toBe(200)
    for (const shown of ['pr-1--portal.test', 'feature/検索', '012345678', 'a@example.co.jp'])
      expect(text).toContain(shown)
    expect(text.replace(`<script>${PAGE_SCRIPT}</script>`, '')).not.toMatch(/<script|ticket/)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self'")
  })

  it('is the login page to a stranger, at its very address', async () => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    const unknown = new URL(asked)
    unknown.searchParams.set('to', 'pr-9')
    const answers = await Promise.all([asked, unknown].map(async (url) => (await show(url, '')).text()))
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]).toContain('sekisho-config')
  })

  it.each([
    ['a page of the preview', { Origin: 'https://pr-1--portal.test', 'Sec-Fetch-Site': 'same-site' }],
    ['another preview that hides its origin', { Origin: 'null', 'Sec-Fetch-Site': 'same-site' }],
    ['another site', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of the preview in a browser that says no more', { Origin: 'https://pr-1--portal.test' }],
    ['one that hides its origin there', { Origin: 'null' }],
  ])('is answered to by nobody but its reader: not by %s', async (_who, headers) => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    const response = await submit(asked, await signIn(), headers)
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('ticket')
  })

  it.each(['', '//evil.test', 'evil.test', 'pr-9', 'pr-1--portal.test', 'https://evil.test/'])(
    'leads nowhere but to a live preview: not to %j',
    async (to) => {
      const visited = await addPreview('pr-1')
      const { asked } = await begin(visited)
      asked.searchParams.set('to', to)
      const cookie = await signIn()
      for (const response of [await show(asked, cookie), await submit(asked, cookie)]) {
        expect(response.status).toBe(404)
        expect(await response.text()).not.toContain('evil')
      }
    },
  )

  it('shows what a publisher wrote as text', async () => {
    const visited = await addPreview('pr-1', { branch: '<img src=x onerror=alert(1)>' })
    const text = await (await show((await begin(visited)).asked, await signIn())).text()
    expect(text).toContain('&#60;img src=x')
    expect(text).not.toContain('<img')
  })
})

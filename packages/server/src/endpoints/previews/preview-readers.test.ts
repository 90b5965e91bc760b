import { ROUTES } from '@sekisho/contract/routes'
import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { createSessionCookies } from '../../kernel/client/session-cookies.ts'
import { NAVIGATION, ORIGIN, readObject } from '../../testing/test-gate.ts'
import { startTestModel } from '../../testing/test-model.ts'
import {
  addPreview,
  ask,
  begin,
  enter,
  handOver,
  OPERATORS_PAGE,
  portal,
  post,
  read,
  show,
  signIn,
  submit,
  tickets,
  usePreviews,
  type Visited,
} from '../../testing/test-previews.ts'
import { createAnswerService } from '../answers/answer-service.ts'
import { createFairSearches } from '../search/fair-searches.ts'

usePreviews()

describe('the readers of a preview', () => {
  const ONLY_TARO = { domains: [], emails: ['taro@example.co.jp'] }

  it('are fewer than those of the portal; to the others there is none', async () => {
    const visited = await addPreview('pr-1', { readers: ONLY_TARO })
    const [hanako, taro] = [await signIn(), await signIn({ sub: 'taro', email: 'taro@example.co.jp' })]
    const { nonce, asked } = await begin(visited)
    expect((await show(asked, hanako)).status).toBe(404)
    expect((await submit(asked, hanako)).status).toBe(404)
    expect((await read(visited, await handOver(visited, taro))).status).toBe(200)
    // A ticket that was made all the same opens nothing: the preview's own gate asks again.
    const { nonce: other, asked: wide } = await begin(visited, nonce)
    const key = createSessionCookies(ORIGIN, 1).readKey(new Request(ORIGIN, { headers: { Cookie: hanako } }))
    const challenge = wide.searchParams.get('challenge') ?? ''
    const ticket =
      key.kind === 'present' ? tickets.issue(key.key, { host: visited.live.origin.host, challenge }) : ''
    expect((await enter(visited, ticket, other)).status).toBe(403)
  })

  it('are never more than those of the portal', async () => {
    const visited = await addPreview('pr-1', {
      readers: { domains: ['example.co.jp', 'evil.test'], emails: [] },
    })
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    portal.state.policy = readPolicy([], ['taro@example.co.jp']).policy
    expect((await read(visited, own)).status).toBe(401)
    portal.state.policy = readPolicy(['example.co.jp'], []).policy
    expect((await read(visited, own)).status).toBe(401) // over, not asleep
  })

  it('get their edition of it and no other, from the next request on', async () => {
    const operators = (...addresses: string[]) =>
      readPolicy(['example.co.jp'], [], { operators: addresses }).policy
    const visited = await addPreview('pr-1')
    portal.state.policy = operators('taro@example.co.jp')
    const [own, taros] = [
      await handOver(visited, await signIn()),
      await handOver(visited, await signIn({ sub: 'taro', email: 'taro@example.co.jp' })),
    ]
    const of = async (path: string, cookie: string) => {
      const response = await ask(visited, path, { headers: { ...NAVIGATION, Cookie: cookie } })
      return { status: response.status, headers: [...response.headers], body: await response.text() }
    }
    expect(await of(OPERATORS_PAGE, taros)).toMatchObject({
      status: 200,
      body: expect.stringContaining('当番表'),
    })
    const nonsense = await of('/docs/opt', own)
    expect([nonsense.status, await of(OPERATORS_PAGE, own)]).toEqual([404, nonsense])
    portal.state.policy = operators()
    expect(await of(OPERATORS_PAGE, taros)).toEqual(nonsense)
  })

  it('alone ask questions, of the pages of their edition', async () => {
    await using model = await startTestModel()
    const searches = createFairSearches({ run: () => expect.fail('there is no index') })
    const answers = createAnswerService({
      config: {
        endpoint: { url: model.url, model: 'ours', key: null },
        ...{ rewritesOnly: false, tokensADay: 1_000_000, firstTextMs: 15_000, totalMs: 60_000 },
      },
      ...{ origin: ORIGIN, searches, audit: portal.audit, queryLog: { searched() {} }, now: Date.now },
      ...{ answerTokens: null, digest: (text) => text, timeZone: 'Asia/Tokyo' },
    })
    const visited = await addPreview('pr-1', { readers: ONLY_TARO }, answers)
    const [hanako, taro] = [await signIn(), await signIn({ sub: 'taro', email: 'taro@example.co.jp' })]
    const own = await handOver(visited, taro)
    const askAbout = (page: string, cookie: string) =>
      post(visited, ROUTES.answers.path, { question: '本文の要点は', page }, cookie)
    expect(await (await askAbout('/docs/guide', own)).text()).toContain('"event":"end"')
    expect(model.prompts.join()).toContain('文書は門の内にある')
    await (await askAbout(OPERATORS_PAGE, own)).text()
    expect(model.prompts.join()).not.toContain('運用')
    portal.state.policy = readPolicy(['example.co.jp'], [], { operators: ['taro@example.co.jp'] }).policy
    await (await askAbout(OPERATORS_PAGE, own)).text()
    expect(model.prompts.at(-1)).toContain('運用')
    expect(await portal.records()).toContainEqual(
      expect.objectContaining({ event: 'answer_read', email: 'taro@example.co.jp', preview: 'pr-1' }),
    )
    const asked = model.prompts.length
    expect((await askAbout('/docs/guide', hanako)).status).toBe(401)
    expect((await post(await addPreview('pr-2'), ROUTES.answers.path, {}, own)).status).toBe(401)
    expect(model.prompts).toHaveLength(asked)
  })

  it.each([
    ['that cannot be read', { domains: ['*'], emails: [] }],
    ['that are none', { domains: [], emails: [] }],
  ])('%s are nobody', async (_what, readers) => {
    const visited = await addPreview('pr-1', { readers })
    expect((await show((await begin(visited)).asked, await signIn())).status).toBe(404)
  })
})

describe('a session of a preview', () => {
  const end = (visited: Visited, path: string, cookie: string) =>
    ask(visited, path, { method: 'DELETE', headers: { Origin: visited.live.origin.origin, Cookie: cookie } })
  const isIn = async (cookie: string) =>
    (await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).status === 200

  it('ends when its reader signs out of the portal', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    await portal.ask(ROUTES.session.path, {
      method: 'DELETE',
      headers: { Origin: ORIGIN.origin, Cookie: cookie },
    })
    expect((await read(visited, own)).status).toBe(401)
  })

  it('ends when the account is no longer admitted', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    portal.state.policy = readPolicy(['example.com'], []).policy
    expect((await read(visited, own)).status).toBe(401)
  })

  it('reaches no other session of its account, whatever the content of the preview asks for', async () => {
    const visited = await addPreview('pr-1')
    const [cookie, elsewhere] = [await signIn(), await signIn()]
    const [own, second] = [await handOver(visited, cookie), await handOver(visited, elsewhere)]
    const { sessions } = await readObject(
      await ask(visited, ROUTES.sessions.path, { headers: { Cookie: own } }),
    )
    expect(sessions).toEqual([expect.objectContaining({ isThisOne: true })])
    const theirs = await readObject(await portal.ask(ROUTES.sessions.path, { headers: { Cookie: cookie } }))
    const ids = Array.isArray(theirs.sessions) ? theirs.sessions.map(({ id }) => String(id)) : []
    expect(ids.length).toBe(4)
    for (const id of ids.filter((one) => !JSON.stringify(sessions).includes(one)))
      expect((await end(visited, `${ROUTES.sessions.path}?id=${id}`, own)).status).toBe(404)
    expect((await end(visited, ROUTES.sessions.path, own)).status).toBe(204)
    expect([await isIn(cookie), await isIn(elsewhere)]).toEqual([true, true])
    expect([(await read(visited, own)).status, (await read(visited, second)).status]).toEqual([401, 200])
  })

  it('is opened in no other way', async () => {
    const visited = await addPreview('pr-1')
    const idToken = await portal.issuer.sign({ jti: 'direct' })
    const response = await post(visited, ROUTES.session.path, { idToken, refreshToken: idToken }, '')
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []])
    const answer = await readObject(
      await ask(visited, ROUTES.session.path, {
        headers: { Cookie: await handOver(visited, await signIn()) },
      }),
    )
    expect(answer).toMatchObject({ email: 'a@example.co.jp', isSignInConfigured: true })
  })

  it('is recorded with its preview, and so is who was refused', async () => {
    const visited = await addPreview('pr-1')
    await handOver(visited, await signIn())
    await enter(visited, 'x'.repeat(114), '')
    expect(await portal.records()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'signed_in', email: 'a@example.co.jp', preview: 'pr-1' }),
        expect.objectContaining({ event: 'sign_in_refused', reason: 'no_nonce', preview: 'pr-1' }),
      ]),
    )
  })
})

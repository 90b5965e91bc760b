import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { openReleases } from '../../releases/open-releases.ts'
import type { Acknowledgement, AcknowledgementStore } from '../../state/acknowledgements/index.ts'
import {
  createTestGate,
  NAVIGATION,
  ORIGIN,
  type TestGate,
  type TestGateChanges,
} from '../../testing/test-gate.ts'

const GUIDE = '/docs/guide'
const PAGES = SITE.pages

let build: TestBuild
beforeEach(async () => {
  build = await createTestBuild()
})
afterEach(() => build[Symbol.asyncDispose]())

const ASKS =
  '<meta name="sekisho-owner" content="総務"><meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-12-31"><meta name="sekisho-acknowledge-statement" content="規程を読みました。">'

const REVIEWED =
  '<meta name="sekisho-owner" content="a@example.co.jp, 総務"><meta name="sekisho-review" content="30d"><meta name="sekisho-reviewed" content="2026-01-10">'

/** Publishes the guide with these elements in its head, and this sentence in its text. */
async function publish(
  head: string,
  sentence = '門の規程',
  clock = () => Date.UTC(2026, 10, 20),
): Promise<string> {
  const html = pageHtml('手引き')
    .replace('<head>', `<head>${head}`)
    .replace('<body>', `<body><p>${sentence}</p>`)
  await build.write('docs/guide/index.html', html)
  return (await packRelease({ ...build, clock })).id
}

it('asks in the language of the page', async () => {
  const html = pageHtml('Guide').replace('<head>', `<head>${ASKS}`)
  await build.write('docs/guide/index.html', html.replace('lang="ja"', 'lang="en"'))
  await packRelease({ ...build, clock: () => Date.UTC(2026, 10, 20) })
  await using portal = await openGate()
  expect(await open(portal, await portal.signIn())).toContain('>Acknowledge</button>')
})

async function openGate(changes: TestGateChanges = {}): Promise<TestGate> {
  const releases = await openReleases({ releasesDir: build.releasesDir, checkEveryMs: 0 })
  return createTestGate({ releases, ...changes })
}

async function open(portal: TestGate, cookie: string, path = GUIDE): Promise<string> {
  const response = await portal.ask(path, { headers: { ...NAVIGATION, Cookie: cookie } })
  return response.text()
}
const proofIn = (html: string): string | null => /name="proof" value="([\w-]+)"/.exec(html)?.[1] ?? null

const post = (portal: TestGate, cookie: string, proof: string | null, headers: Record<string, string> = {}) =>
  portal.ask('/__gate/acknowledge', {
    method: 'POST',
    headers: {
      ...{ Cookie: cookie, Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...headers,
    },
    body: new URLSearchParams(proof === null ? {} : { proof }).toString(),
  })

const acknowledged = async (portal: TestGate) =>
  (await portal.records()).filter(({ event }) => event === 'page_acknowledged')

describe('a page that asks', () => {
  it('ends with statement and button, and is recorded with the content that was served, before the response', async () => {
    const release = await publish(ASKS)
    await using portal = await openGate()
    const cookie = await portal.signIn()
    const html = await open(portal, cookie)
    expect(html).toContain('規程を読みました。')
    expect(html).toContain('総務')
    expect(await (await portal.ask('/__gate/account', { headers: { Cookie: cookie } })).text()).toContain(
      '手引き',
    )
    expect(await open(portal, cookie, '/')).toContain('確認が必要なページ: 1 件')
    const timing = async () =>
      (await portal.ask('/docs/base/', { headers: { ...NAVIGATION, Cookie: cookie } })).headers.get(
        'server-timing',
      )
    expect(await timing()).toContain('asked;desc="1"') // the navbar's number, on every page
    const response = await post(portal, cookie, proofIn(html))
    expect([response.status, response.headers.get('location')]).toEqual([303, `${GUIDE}#sekisho-acknowledge`])
    expect(await timing()).not.toContain('asked')
    const [line, ...more] = await acknowledged(portal)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      ...{ path: GUIDE, version: 'revision 1', statement: '規程を読みました。', release },
      content: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await open(portal, cookie, '/')).not.toContain('確認が必要なページ')
    const again = await open(portal, cookie)
    expect(proofIn(again)).toBeNull()
    expect(again).toContain('確認済み')
    expect(await (await portal.ask('/__gate/account', { headers: { Cookie: cookie } })).text()).not.toContain(
      '手引き',
    )
  })

  it('is not recorded where the trail cannot be written', async () => {
    await publish(ASKS)
    const added: Acknowledgement[] = []
    const acknowledgements: Pick<AcknowledgementStore, 'add' | 'ofAccount' | 'reviews'> = {
      add: async (one) => added.push(one) > 0,
      ofAccount: async () => [],
      reviews: async () => [],
    }
    await using portal = await openGate({ acknowledgements })
    const cookie = await portal.signIn()
    const proof = proofIn(await open(portal, cookie))
    portal.audit.recordDurably = async () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    expect((await post(portal, cookie, proof)).status).toBe(503)
    expect(added).toEqual([])
  })
})

describe('refuses', () => {
  it.each<[name: string, attack: (portal: TestGate, cookie: string) => Promise<number>, status: number]>([
    ['a page that was never opened', (portal, cookie) => post(portal, cookie, null).then(statusOf), 400],
    ['a forged proof', (portal, cookie) => post(portal, cookie, 'A'.repeat(200)).then(statusOf), 400],
    [
      'an altered proof',
      async (portal, cookie) => {
        const proof = proofIn(await open(portal, cookie)) ?? ''
        return post(portal, cookie, proof.slice(0, -4) + (proof.endsWith('AAAA') ? 'BBBB' : 'AAAA')).then(
          statusOf,
        )
      },
      400,
    ],
    [
      'another site',
      async (portal, cookie) =>
        post(portal, cookie, proofIn(await open(portal, cookie)), { Origin: 'https://evil.test' }).then(
          statusOf,
        ),
      403,
    ],
    [
      'a stranger',
      async (portal, cookie) => post(portal, '', proofIn(await open(portal, cookie))).then(statusOf),
      401,
    ],
    [
      'another session of the account',
      async (portal, cookie) => {
        const proof = proofIn(await open(portal, cookie))
        portal.state.nowMs += 1_000
        return post(portal, await portal.signIn(), proof).then(statusOf)
      },
      400,
    ],
    [
      'another account',
      async (portal, cookie) => {
        const proof = proofIn(await open(portal, cookie))
        const other = await portal.signIn({ sub: 'other', user_id: 'other', email: 'b@example.co.jp' })
        return post(portal, other, proof).then(statusOf)
      },
      400,
    ],
    [
      'an agent',
      async (portal, cookie) => {
        const proof = proofIn(await open(portal, cookie))
        portal.state.nowMs += 1_000
        const Authorization = await portal.signInAgent()
        return post(portal, '', proof, { Authorization }).then(statusOf)
      },
      401,
    ],
    [
      'a proof of the day before',
      async (portal, cookie) => {
        const proof = proofIn(await open(portal, cookie))
        for (let hour = 0; hour < 9; hour += 1) {
          portal.state.nowMs += 3_000_000
          await open(portal, cookie)
        }
        portal.state.nowMs -= 9 * 3_000_000 + 1
        return post(portal, cookie, proof).then(statusOf)
      },
      400,
    ],
  ])('%s', async (_name, attack, status) => {
    await publish(ASKS)
    await using portal = await openGate()
    expect(await attack(portal, await portal.signIn())).toBe(status)
    expect(await acknowledged(portal)).toEqual([])
  })

  it('a proof that was used, also twice at once', async () => {
    await publish(ASKS)
    await using portal = await openGate()
    const cookie = await portal.signIn()
    const proof = proofIn(await open(portal, cookie))
    const at = await Promise.all([post(portal, cookie, proof), post(portal, cookie, proof)])
    expect(at.map(statusOf).sort()).toEqual([303, 409])
    expect(statusOf(await post(portal, cookie, proof))).toBe(409)
  })

  it('a page that changed since, and asks again for what is read now', async () => {
    await publish(`${ASKS}<meta name="sekisho-acknowledge-again" content="each">`)
    await using portal = await openGate()
    const cookie = await portal.signIn()
    const proof = proofIn(await open(portal, cookie))
    await publish(`${ASKS}<meta name="sekisho-acknowledge-again" content="each">`, '別の規程', () =>
      Date.UTC(2026, 10, 21),
    )
    portal.state.nowMs += 10_000
    expect(statusOf(await post(portal, cookie, proof))).toBe(409)
    expect(await acknowledged(portal)).toEqual([])
    expect(statusOf(await post(portal, cookie, proofIn(await open(portal, cookie))))).toBe(303)
  })

  const STAFF = { staff: ['@example.co.jp', 'owner:総務'] }
  it.each([
    ['a reader', ASKS, 'ほかのエディションの表示中は'],
    ['an owner', REVIEWED, '2026年1月10日'],
  ])('%s who views the portal as another edition', async (_who, head, note) => {
    const html = pageHtml('手引き').replace('<head>', `<head>${head}`)
    await using all = await createTestBuild()
    for (const one of [build, all]) await one.write('docs/guide/index.html', html)
    const editions = [
      { name: 'staff', audiences: ['staff'], buildDir: build.buildDir },
      { name: 'everyone', audiences: [], buildDir: all.buildDir },
    ]
    await packRelease({ editions, dataDir: build.dataDir, clock: () => Date.UTC(2026, 10, 20) })
    await using portal = await openGate()
    portal.state.policy = readPolicy(['example.co.jp'], [], STAFF, ['staff']).policy
    const cookie = await portal.signIn()
    const proof = proofIn(await open(portal, cookie))
    const begun = await portal.ask('/__gate/view-as', {
      method: 'POST',
      headers: {
        ...{ Cookie: cookie, Origin: ORIGIN.origin },
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'action=begin&edition=everyone',
    })
    const viewing = `${cookie}; ${begun.headers.get('set-cookie')?.split(';')[0]}`
    const page = await open(portal, viewing)
    expect(page).toContain(note)
    expect(proofIn(page)).toBeNull()
    expect(statusOf(await post(portal, viewing, proof))).toBe(409)
    expect(await acknowledged(portal)).toEqual([])
    expect(statusOf(await post(portal, cookie, proof))).toBe(303)
  })

  it('the members of other groups', async () => {
    const proofs: (string | null)[] = []
    await publish(ASKS.replace('content="all"', 'content="staff"'))
    await using portal = await openGate()
    const cookie = await portal.signIn()
    proofs.push(proofIn(await open(portal, cookie)))
    const { policy } = readPolicy(['example.co.jp'], [], { staff: ['@example.co.jp'] })
    portal.state.policy = policy
    proofs.push(proofIn(await open(portal, cookie)))
    expect(proofs).toEqual([null, expect.any(String)])
    portal.state.policy = readPolicy(['example.co.jp'], []).policy
    expect(statusOf(await post(portal, cookie, proofs[1] ?? null))).toBe(409)
  })
})

describe('a marked revision', () => {
  it('asks again, and an unmarked change does not', async () => {
    await publish(ASKS)
    await using portal = await openGate()
    const cookie = await portal.signIn()
    await post(portal, cookie, proofIn(await open(portal, cookie)))
    await publish(ASKS, '誤字を直した規程', () => Date.UTC(2026, 10, 21))
    expect(proofIn(await open(portal, cookie))).toBeNull()
    await publish(`${ASKS}<meta name="sekisho-revision" content="2">`, '改めた規程', () =>
      Date.UTC(2026, 10, 22),
    )
    const proof = proofIn(await open(portal, cookie))
    expect(statusOf(await post(portal, cookie, proof))).toBe(303)
    expect((await acknowledged(portal)).map(({ version }) => version)).toEqual(['revision 1', 'revision 2'])
  })
})

describe('the owner of a page with a review', () => {
  const OWNER = { email: 'a@example.co.jp' }
  const reviewed = async (portal: TestGate) =>
    (await portal.records()).filter(({ event }) => event === 'page_reviewed')
  const inGroups = (groups: Readonly<Record<string, readonly string[]>>) =>
    readPolicy(['example.co.jp'], [], groups).policy

  it('confirms it by a click, in the trail before the response, and once', async () => {
    const release = await publish(REVIEWED)
    await using portal = await openGate()
    const cookie = await portal.signIn(OWNER)
    const html = await open(portal, cookie)
    expect(html).toContain('data-sekisho-banner="overdue"')
    expect(html).toContain('2026年1月10日')
    const proof = proofIn(html)
    const today = new Date(portal.state.nowMs).toLocaleDateString('sv', { timeZone: 'Asia/Tokyo' })
    const response = await post(portal, cookie, proof)
    expect([response.status, response.headers.get('location')]).toEqual([303, `${GUIDE}#sekisho-review`])
    expect(await reviewed(portal)).toMatchObject([
      {
        path: GUIDE,
        owner: 'a@example.co.jp, 総務',
        release,
        version: expect.stringContaining(`review ${today} default `),
      },
    ])
    expect(await acknowledged(portal)).toEqual([])
    for (const reader of [
      cookie,
      await portal.signIn({ sub: 'b', user_id: 'b', email: 'b@example.co.jp' }),
    ]) {
      const after = await open(portal, reader)
      expect(after).toContain(`<time datetime="${today}">`)
      expect(after).toContain('id="sekisho-review"')
      expect(after).not.toContain('data-sekisho-banner')
      expect(proofIn(after)).toBeNull()
    }
    expect(statusOf(await post(portal, cookie, proof))).toBe(409)
    expect(await reviewed(portal)).toHaveLength(1)
  })

  it.each<[name: string, groups: Readonly<Record<string, readonly string[]>>, isOwner: boolean]>([
    ['a group that stands for the owner', { somu: ['hanako@example.co.jp', 'owner:総務'] }, true],
    ['a group that stands for another', { somu: ['hanako@example.co.jp', 'owner:法務'] }, false],
    ['other members of it', { somu: ['taro@example.co.jp', 'owner:総務'] }, false],
    ['no group', {}, false],
  ])('by %s', async (_name, groups, isOwner) => {
    await publish(REVIEWED)
    await using portal = await openGate()
    portal.state.policy = inGroups(groups)
    const cookie = await portal.signIn({ email: 'hanako@example.co.jp' })
    expect(proofIn(await open(portal, cookie)) !== null).toBe(isOwner)
  })

  it.each<
    [
      name: string,
      attack: (portal: TestGate, cookie: string, proof: string) => ReturnType<typeof post>,
      status: number,
    ]
  >([
    [
      'one who is the owner no more',
      (portal, cookie, proof) => {
        portal.state.policy = inGroups({})
        return post(portal, cookie, proof)
      },
      409,
    ],
    [
      'a page that changed since',
      async (portal, cookie, proof) => {
        await publish(REVIEWED, '別の規程', () => Date.UTC(2026, 10, 21))
        portal.state.nowMs += 10_000
        return post(portal, cookie, proof)
      },
      409,
    ],
    [
      'another account',
      async (portal, _cookie, proof) =>
        post(portal, await portal.signIn({ sub: 'b', user_id: 'b', email: 'b@example.co.jp' }), proof),
      400,
    ],
    [
      'an agent',
      async (portal, _cookie, proof) => {
        portal.state.nowMs += 1_000
        return post(portal, '', proof, { Authorization: await portal.signInAgent() })
      },
      401,
    ],
    [
      'another site',
      (portal, cookie, proof) => post(portal, cookie, proof, { Origin: 'https://evil.test' }),
      403,
    ],
  ])('refuses %s', async (_name, attack, status) => {
    await publish(REVIEWED)
    await using portal = await openGate()
    portal.state.policy = inGroups({ somu: ['hanako@example.co.jp', 'owner:総務'] })
    const cookie = await portal.signIn({ email: 'hanako@example.co.jp' })
    const proof = proofIn(await open(portal, cookie)) ?? ''
    expect((await attack(portal, cookie, proof)).status).toBe(status)
    expect(await reviewed(portal)).toEqual([])
  })
})

it('leaves every other page as it was packed, whole and with its validator', async () => {
  await publish('<meta name="sekisho-covers" content="src/**">')
  await using portal = await openGate()
  const headers = { ...NAVIGATION, Cookie: await portal.signIn() }
  for (const { path } of PAGES) {
    const response = await portal.ask(encodeURI(path), { headers })
    expect(response.headers.get('etag')).not.toBeNull()
    expect(await response.text()).not.toContain('data-sekisho-notes')
  }
})

const statusOf = ({ status }: { readonly status: number }): number => status

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReleases, readPolicy } from '@sekisho/server'
import { ORIGIN } from '@sekisho/server/testing'
import { createWireClient, type OpenedRelease, openRelease, verifyEdition } from '@sekisho/verify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOwnGate } from '../../src/commands/verify/own-gate.ts'
import { runVerify } from '../../src/commands/verify/verify.ts'
import { invented, pathOf } from '../support/broken/break-gate.ts'
import { BROKEN_EDITIONS, breakEditions } from '../support/broken/broken-editions.ts'
import {
  BROKEN_BUILDS,
  EDITIONS,
  HIDDEN_CANARY,
  NAMED_ELSEWHERE,
  packEditions,
  packMovedCanary,
  type Spoil,
} from '../support/edition-fixture.ts'
import { type FixtureGate, listenFixtureGate } from '../support/fixture-gate.ts'

const AT_URL = ['--as', 'staff', '--url', 'http://127.0.0.1:1']

/** The account that is called like an edition is in the groups of its audiences. */
const POLICY = readPolicy(
  ['example.co.jp'],
  [],
  Object.fromEntries(
    ['staff', 'partner'].map((group) => {
      const members = EDITIONS.filter(({ audiences }) => audiences.some((name) => name === group))
      return [group, members.map(({ name }) => `${name}@example.co.jp`)]
    }),
  ),
).policy

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

async function packInto(spoil?: Spoil): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sekisho-editions-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  await packEditions(dataDir, spoil)
  return dataDir
}

let gate: FixtureGate
let release: OpenedRelease
let dataDir: string
const cookies = new Map<string, string>()
beforeAll(async () => {
  dataDir = await packInto()
  const releasesDir = join(dataDir, 'releases')
  const releases = await openReleases({ releasesDir })
  const opened = await openRelease(releasesDir, null)
  if (opened === null) throw new Error('no release')
  release = opened
  gate = cleanup.use(await listenFixtureGate({ releases }))
  gate.test.state.policy = POLICY
  for (const { name } of EDITIONS)
    cookies.set(name, await gate.signIn({ sub: name, email: `${name}@example.co.jp` }))
})

function verifyAs(name: string, readers: ReadonlyMap<string, string> = cookies) {
  const edition = release.editions.find((one) => one.name === name)
  if (edition === undefined) throw new Error(`no edition ${name}`)
  const others = release.editions.filter((one) => one !== edition)
  return verifyEdition({
    client: gate.client,
    host: ORIGIN.host,
    origin: ORIGIN.origin,
    behindProxy: false,
    edition,
    others,
    cookies: readers,
    effort: 'quick',
  })
}

describe('verify as a reader of one edition', () => {
  it.each(EDITIONS)('finds nothing of the others as $name at a gate that holds', async ({ name }) => {
    gate.replace(gate.test.gate)
    const report = await verifyAs(name)
    expect(report.findings).toEqual([])
    expect(report.read).toBe(release.editions.find((one) => one.name === name)?.files.size)
    expect(report.hidden).toBe({ staff: 0, partner: 12, everyone: 24 }[name])
    expect(report.shown).toBe({ staff: 0, partner: 3, everyone: 6 }[name])
  })

  it('finds an agent that is given what its reader may not read', async () => {
    await using own = await startOwnGate(join(dataDir, 'releases'), release)
    const [edition, ...others] = [...release.editions].reverse()
    if (edition === undefined) throw new Error('no edition')
    const asAgents = (agents: ReadonlyMap<string, string>) =>
      verifyEdition({
        client: createWireClient(own.url, { host: own.host }),
        ...{
          host: own.host,
          origin: `http://${own.host}`,
          behindProxy: false,
          edition,
          others,
          cookies: own.readers,
          tokens: agents,
          effort: 'quick',
        },
      })
    expect((await asAgents(own.agents)).findings).toEqual([])
    const mixedUp = new Map([...own.agents, [edition.name, own.agents.get('staff') ?? '']])
    const found = expect.arrayContaining(['page-title', 'not-uniform'])
    expect((await asAgents(mixedUp)).findings.map(({ rule }) => rule)).toEqual(found)

    // As an operator asks a gate that runs: cookies and tokens come from files.
    const tokens = [...mixedUp].map(([name, header]) => [name, header.replace('Bearer ', '')] as const)
    const said = [await writeOfEach('--reader', own.readers), await writeOfEach('--agent', tokens)].flat()
    const address = ['--url', own.url.origin, '--host', own.host]
    const { exitCode, text } = await run(['--as', edition.name, '--quick', '--json', ...address, ...said])
    expect([exitCode, rulesOf(text)]).toEqual([1, found])
  })

  it('says that it proves nothing where no reader of another edition is sent its files', async () => {
    gate.replace(gate.test.gate)
    const { findings, shown } = await verifyAs(
      'everyone',
      new Map([...cookies, ['staff', ''], ['partner', '']]),
    )
    expect(shown).toBe(0)
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['no-control']))
  })
})

async function run(args: readonly string[], folder = dataDir) {
  const printed: string[] = []
  const complaints: string[] = []
  const io = {
    ...{ env: {}, cwd: folder, clock: Date.now },
    print: (line: string) => printed.push(line),
    complain: (line: string) => complaints.push(line),
  }
  const exitCode = await runVerify([...args, '--data-dir', folder], io)
  return { exitCode, text: [...printed, ...complaints].join('\n') }
}

/** Writes a file for each edition; resolves to the options that name them. */
async function writeOfEach(option: '--reader' | '--agent', texts: Iterable<readonly [string, string]>) {
  const files = [...texts].map(async ([name, text]) => {
    const file = `${name}${option}`
    await writeFile(join(dataDir, file), `${text}\n`)
    return [option, `${name}=${file}`]
  })
  return (await Promise.all(files)).flat()
}

const rulesOf = (text: string) => [
  ...new Set(JSON.parse(text).findings.map(({ rule }: { rule: string }) => rule)),
]

describe('sekisho verify --as', () => {
  it('finds an edition closed, with the groups that the gate itself knows', async () => {
    const { exitCode, text } = await run(['--as', 'partner', '--quick'])
    expect(text).toContain(
      '✔ Closed: nothing that only other editions hold is there for a reader of partner.',
    )
    expect(exitCode).toBe(0)
  })

  it.each(BROKEN_BUILDS)('finds $name', async ({ spoil }) => {
    const { exitCode, text } = await run(['--as', 'everyone', '--quick'], await packInto(spoil))
    expect(text).toMatch(/"(?:\/docs\/night-duty|夜間当番の引き継ぎ)" of another edition/)
    expect(exitCode).toBe(1)
  })

  it('finds files of an edition that only pages of others name, in whatever form', async () => {
    const folder = await packInto(async (build, edition) => {
      for (const name of Object.keys(NAMED_ELSEWHERE)) await build.write(name, '{}')
      if (edition !== 'staff') return
      const forms = Object.values(NAMED_ELSEWHERE).join('\n')
      await build.write('docs/night-duty/index.html', `<title>夜間当番の引き継ぎ</title>${forms}`)
    })
    const { exitCode, text } = await run(['--as', 'everyone', '--quick', '--json'], folder)
    const details = JSON.parse(text).findings.map(({ detail }: { detail: string }) => detail)
    expect([exitCode, details]).toEqual([
      1,
      expect.arrayContaining(
        Object.keys(NAMED_ELSEWHERE).map((name) => `/${name}, which only pages of other editions name`),
      ),
    ])
  })

  it('finds a file of an earlier release that has been restricted since', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sekisho-editions-'))
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    await packMovedCanary(folder)
    expect((await run(['--as', 'everyone', '--quick'], folder)).exitCode).toBe(0)

    const releasesDir = join(folder, 'releases')
    const releases = await openReleases({ releasesDir })
    await using own = await listenFixtureGate({ releases })
    own.test.state.policy = POLICY
    const signIns = EDITIONS.map(async ({ name }) => {
      const cookie = await own.signIn({ sub: name, email: `${name}@example.co.jp` })
      await writeFile(join(folder, `${name}.cookie`), cookie)
      return ['--reader', `${name}=${name}.cookie`]
    })
    const address = ['--url', `http://127.0.0.1:${own.port}`, '--host', ORIGIN.host]
    const asked = [
      '--as',
      'everyone',
      '--quick',
      '--json',
      ...address,
      ...(await Promise.all(signIns)).flat(),
    ]
    expect((await run(asked, folder)).exitCode).toBe(0)
    own.replace(async (request, peer) =>
      pathOf(request) === HIDDEN_CANARY.path
        ? invented(HIDDEN_CANARY.text, 'text/javascript')
        : own.test.gate(request, peer),
    )
    const { exitCode, text } = await run(asked, folder)
    expect([exitCode, rulesOf(text)]).toEqual([1, expect.arrayContaining(['other-edition'])])
  })

  it.each([
    ['an edition that is none', ['--as', 'nobody'], /no edition nobody/],
    ['a running gate without readers', AT_URL, /--reader staff=FILE --reader partner=FILE/],
    ['a reader of no edition', [...AT_URL, '--reader', 'cookie.txt'], /must be EDITION=FILE/],
    ['signing somebody out', [...AT_URL, '--sign-out'], /cannot be combined/],
    ['an agent of no edition', ['--url', 'http://127.0.0.1:1', '--agent', 'staff=token'], /needs --as/],
  ])('refuses %s', async (_name, args, complaint) => {
    const { exitCode, text } = await run(args)
    expect(exitCode).toBe(2)
    expect(text).toMatch(complaint)
  })

  describe('at a running gate', () => {
    /** As an operator calls it: cookies come from files. */
    async function runAtGate(readers: ReadonlyMap<string, string> = cookies) {
      const said = await writeOfEach('--reader', readers)
      const address = ['--url', `http://127.0.0.1:${gate.port}`, '--host', ORIGIN.host]
      return run(['--as', 'everyone', '--quick', '--json', ...address, ...said])
    }

    it('finds it closed', async () => {
      gate.replace(gate.test.gate)
      const { exitCode, text } = await runAtGate()
      expect([exitCode, JSON.parse(text)]).toMatchObject([0, { findings: [], shown: 6 }])
    })

    it.each(BROKEN_EDITIONS)('finds $name', async (broken) => {
      const staff = cookies.get('staff') ?? ''
      const paths = new Map([...release.files].map(([path, { sha256 }]) => [sha256, path]))
      gate.replace(breakEditions(broken, gate, staff, paths))
      const { exitCode, text } = await runAtGate()
      expect([exitCode, rulesOf(text)]).toEqual([1, expect.arrayContaining([broken.found])])
    })

    it('proves nothing with readers who are sent nothing', async () => {
      gate.replace(gate.test.gate)
      const signedOut = new Map([...cookies, ['staff', 'none=1'], ['partner', 'none=1']])
      const { exitCode, text } = await runAtGate(signedOut)
      expect([exitCode, rulesOf(text)]).toEqual([1, ['no-control']])
    })
  })
})

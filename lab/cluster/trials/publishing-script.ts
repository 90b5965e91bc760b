import { setTimeout as sleep } from 'node:timers/promises'
import { ROUTES } from '@sekisho/contract/routes'
import { movePointer } from '@sekisho/release'
import type { S3Server } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import type { RunCommand } from '../../../packages/sekisho/src/command.ts'
import {
  connectPortal,
  type PortalClient,
  PortalError,
} from '../../../packages/sekisho/src/commands/publish/portal-client.ts'
import { runPublish } from '../../../packages/sekisho/src/commands/publish/publish.ts'
import { sendRelease } from '../../../packages/sekisho/src/commands/publish/send-release.ts'
import { runTokens } from '../../../packages/sekisho/src/commands/publish/tokens.ts'
import { runPreviews } from '../../../packages/sekisho/src/commands/releases/previews.ts'
import { runReleases } from '../../../packages/sekisho/src/commands/releases/releases.ts'
import { askHost, handOver, previewHost } from '../../../packages/sekisho/test/support/hand-over.ts'
import { HOST } from '../../../packages/sekisho/test/support/serving-gate.ts'
import { type Cluster, type ClusterGate, GATE_HEADER } from '../cluster.ts'
import { idAt } from '../cluster-releases.ts'
import { type Events, RELEASE_LIMIT_MS } from '../judge.ts'
import { runCommand } from '../operator.ts'
import { signIn } from '../readers.ts'
import type { Row } from './outcome.ts'

/** Texts of the releases, in the order of their packing. */
export const TEXTS = ['初版', '第二版', '第三版', '第四版', '第五版', '第六版'] as const
/** Of each release, in parts of 448 KB: a gate that is killed meanwhile has some of them. */
export const LARGE_BYTES = 12_000_000
/** Limit of all bytes sent by a publisher that continues after a killed gate: less than two releases. */
const RESUMED_BYTES = 1.5 * LARGE_BYTES
/** A bucket is asked for its previews every five seconds, and for what one of them serves every two. */
const PREVIEW_LIMIT_MS = 7_500
/** Limit for opening a preview that a gate has not fetched yet. */
const FETCH_LIMIT_MS = 10_000
/** Pause that excludes every other reason for a late response than the publication itself. */
const PAUSE_MS = RELEASE_LIMIT_MS + 500

/** Result of the script. */
export interface Published {
  readonly publications: Events['publications'][number][]
  readonly kills: Events['kills'][number][]
  readonly rows: Row[]
  readonly problems: string[]
}

type Gates = readonly [first: ClusterGate, second: ClusterGate, third: ClusterGate]

interface Script extends Published {
  readonly cluster: Cluster
  readonly gates: Gates
  readonly bucket: S3Server
  readonly token: string
  /** Origin of the portal for publishers. */
  readonly origin: string
  readonly releasesDir: string
}

/** Publishes through the gates, in every way there is. */
export async function publishAll(cluster: Cluster, bucket: S3Server, published: Published): Promise<void> {
  const [first, second, third] = cluster.gates
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few gates')
  const created = await runCommand(runTokens, ['create', '--name', 'cluster', '--expires', '1d'], cluster)
  const script: Script = {
    ...{ ...published, cluster, bucket, gates: [first, second, third], token: created.said[0] ?? '' },
    origin: `http://127.0.0.1:${cluster.publishersPort}`,
    releasesDir: dataFolderAt(cluster.releases.dataDir).releases,
  }
  await publishWithCommand(script)
  await publishThroughKilled(script, {
    ...{ gate: first, index: 2, what: 'receives parts', moment: /^PUT docs\/uploads\//, nth: 6 },
  })
  await publishThroughKilled(script, {
    ...{ gate: second, index: 3, what: 'puts files in place', moment: /^PUT docs\/blobs\//, nth: 12 },
  })
  await publishTwoAtOnce(script)
  await rollBack(script)
  await publishPreviews(script)
  await removeToken(script)
}

const idOf = ({ cluster }: Script, index: number) => idAt(cluster.releases.ids, index)

function say(what: string): void {
  console.log(`${(performance.now() / 1_000).toFixed(2).padStart(7)} s  ${what}`)
}

function note({ rows, problems }: Script, row: Row, isRight: boolean): void {
  rows.push(row)
  if (!isRight) problems.push(`${row[0]}: ${row[1]}, wanted ${row[2]}`)
}

async function run({ cluster, token }: Script, command: RunCommand, args: readonly string[]) {
  const { code, said } = await runCommand(command, args, cluster, { SEKISHO_PUBLISH_TOKEN: token })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${said.join('\n')}`)
  return said
}

/** `publish` resolves when the gate that answered serves it. */
async function publishing(script: Script, index: number, publish: () => Promise<unknown>): Promise<void> {
  const fromMs = performance.now()
  await publish()
  script.publications.push({ id: idOf(script, index), fromMs, byMs: performance.now() })
  await sleep(PAUSE_MS)
}

const optionsFor = ({ origin, cluster }: Script) => ['--to', origin, '--data-dir', cluster.releases.dataDir]

async function publishWithCommand(script: Script): Promise<void> {
  say('a release is published through whichever gate is asked')
  await movePointer(script.releasesDir, idOf(script, 1))
  await publishing(script, 1, async () => {
    const said = await run(script, runPublish, optionsFor(script))
    const isSaid = said.some((line) => line.includes('every other gate looks for it every 1 s'))
    note(script, ['what other gates do is said', isSaid ? 'yes' : said.join(' '), 'yes'], isSaid)
  })
}

/** Asks one gate while that is up, others when it is not. */
function connectTo(
  { origin, token }: Script,
  gate: ClusterGate,
  around: (path: string, ask: () => Promise<Response>) => Promise<Response> = (_, ask) => ask(),
): Promise<PortalClient> {
  return connectPortal({
    ...{ origin: new URL(origin), credentials: async () => token, target: 'production' },
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-to', gate.name)
      return around(new URL(String(url)).pathname, () => fetch(url, { ...init, headers }))
    },
  })
}

interface Killing {
  readonly gate: ClusterGate
  readonly index: number
  readonly what: string
  /** It is killed when the bucket is asked that for the n-th time. */
  readonly moment: RegExp
  readonly nth: number
}

async function publishThroughKilled(
  script: Script,
  { gate, index, what, moment, nth }: Killing,
): Promise<void> {
  const { bucket, releasesDir, kills, cluster } = script
  say(`${gate.name} is killed while it ${what}; others go on`)
  const id = idOf(script, index)
  const { promise: isEarly, resolve } = Promise.withResolvers<boolean>()
  let count = 0
  bucket.fault = (method, key) => {
    if (moment.test(`${method} ${key}`) && ++count === nth) {
      kills.push({ gate: gate.name, atMs: performance.now() })
      const killed = gate.kill().then(() => cluster.releases.store.readPointer())
      void killed.then((pointer) => resolve(pointer.id !== id))
    }
    return null
  }
  const portal = await connectTo(script, gate)
  await publishing(script, index, () => sendRelease(portal, releasesDir, { id }))
  bucket.fault = () => null
  if (count < nth) throw new Error(`${gate.name} was not killed: ${count} requests like ${moment}`)
  const sent = portal.sentBytes()
  const isRight = (await isEarly) && sent < RESUMED_BYTES
  const wanted = `< ${RESUMED_BYTES / 1e6} MB`
  note(
    script,
    [`sent where the gate that ${what} is killed`, `${(sent / 1e6).toFixed(1)} MB`, wanted],
    isRight,
  )
  await gate.start()
  await sleep(3_000)
}

async function publishTwoAtOnce(script: Script): Promise<void> {
  say('two publish at once, through two gates')
  const { gates, releasesDir, publications } = script
  const meeting = Promise.withResolvers<void>()
  const answered = new Set<string | null>()
  let waiting = 0
  const attempt = async (gate: ClusterGate, id: string) => {
    const portal = await connectTo(script, gate, async (path, ask) => {
      if (path !== ROUTES.publishCommit.path) return ask()
      waiting += 1
      if (waiting === 2) meeting.resolve()
      await meeting.promise
      const answer = await ask()
      answered.add(answer.headers.get(GATE_HEADER))
      return answer
    })
    await sendRelease(portal, releasesDir, { id })
    return id
  }
  const fromMs = performance.now()
  const outcomes = await Promise.allSettled([
    attempt(gates[0], idOf(script, 4)),
    attempt(gates[1], idOf(script, 5)),
  ])
  const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  for (const id of won) publications.push({ id, fromMs, byMs: performance.now() })
  const told = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.refused)] : []))
  const isRight = won.length === 1 && told.join() === 'pointer_moved' && answered.size === 2
  const figure = `${won.length} served, ${told.join()}`
  note(script, ['two who publish at once', figure, '1 served, pointer_moved'], isRight)
  const [lost] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (lost !== undefined && !(lost instanceof PortalError)) throw lost
  await sleep(PAUSE_MS)
}

async function rollBack(script: Script): Promise<void> {
  say('an earlier release is rolled back to, through a gate')
  await publishing(script, 3, async () => {
    const beganMs = performance.now()
    await run(script, runReleases, ['rollback', idOf(script, 3), '--to', script.origin])
    const ms = performance.now() - beganMs
    note(script, ['a rollback through a gate, command and all', `${Math.round(ms)} ms`, '≤ 1 s'], ms <= 1_000)
  })
}

async function publishPreviews(script: Script): Promise<void> {
  say('a preview is published, published again, and removed')
  const { gates, cluster, releasesDir } = script
  const [, , third] = gates
  const { cookie } = await signIn(cluster.issuer, third.port, 'previewer@example.co.jp')
  const preview = [...optionsFor(script), '--preview', 'topic', '--branch', 'topic', '--commit', 'abcdef01']
  const limit = async (
    what: string,
    isTrue: (gate: ClusterGate) => Promise<boolean>,
    maxMs = PREVIEW_LIMIT_MS,
  ) => {
    const ms = await untilAll(gates, isTrue)
    note(script, [what, `${Math.round(ms)} ms`, `≤ ${maxMs / 1_000} s`], ms <= maxMs)
  }
  const hasStatus = (status: number) => async (gate: ClusterGate) =>
    (await askHost(gate.port, previewHost('topic'))).status === status
  await movePointer(releasesDir, idOf(script, 4))
  await run(script, runPublish, preview)
  await limit('a preview is known to every gate', hasStatus(401))
  const own = await handOver(third.port, 'topic', cookie ?? '')
  const shows = (text: string) => async (gate: ClusterGate) =>
    (await askHost(gate.port, previewHost('topic'), '/', { Cookie: own })).text.includes(`<p>${text}</p>`)
  await limit('every gate fetches and shows it to its reader', shows(TEXTS[4]), FETCH_LIMIT_MS)
  await movePointer(releasesDir, idOf(script, 5))
  await run(script, runPublish, preview)
  await limit('its next release is served by every gate', shows(TEXTS[5]))
  await run(script, runPreviews, ['remove', 'topic'])
  await limit('removed, it is known to none', hasStatus(400))
}

/** Measures the time until every gate satisfies it. */
async function untilAll(gates: Gates, isTrue: (gate: ClusterGate) => Promise<boolean>): Promise<number> {
  const beganMs = performance.now()
  while ((await Promise.all(gates.map(isTrue))).includes(false)) {
    if (performance.now() - beganMs > 4 * PREVIEW_LIMIT_MS) return Number.POSITIVE_INFINITY
    await sleep(50)
  }
  return performance.now() - beganMs
}

async function removeToken(script: Script): Promise<void> {
  say('the token is removed')
  const { gates, token } = script
  const { ticket } = await connectTo(script, gates[0])
  const [listed = ''] = await run(script, runTokens, ['list'])
  await run(script, runTokens, ['remove', listed.slice(0, 8)])
  const as = (credentials: string) => ({
    ...{ Authorization: `Bearer ${credentials}`, 'Content-Type': 'application/json' },
  })
  const answers = await Promise.all(
    gates.flatMap(({ port }) => [
      askHost(port, HOST, ROUTES.publish.path, as(token), '{"target":"production"}'),
      askHost(port, HOST, ROUTES.publishReleases.path, as(ticket)),
    ]),
  )
  const counts = answers.filter(({ status }) => status !== 401).length
  note(script, ['gates where a removed token, or its ticket, counts', counts, '0'], counts === 0)
}

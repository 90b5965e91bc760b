import { randomInt } from 'node:crypto'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../cluster.ts'
import { ask, signIn } from '../readers.ts'
import type { Outcome } from './outcome.ts'

const READERS = 12
const STAFF_PAGE = '/docs/staff'
const SECONDS = 30
/** Lifetime of a membership before another is written. */
const CHANGE_MS = 300

/** Member of the group from some time between the two on. */
interface Membership {
  readonly members: ReadonlySet<string>
  readonly fromMs: number
  readonly byMs: number
}

interface Answered {
  readonly reader: string
  readonly status: number
  readonly holdsContent: boolean
  readonly beganMs: number
  readonly endedMs: number
}

/**
 * Requests an edition's page from three gates while the policy changes its group three times a second, a gate is killed and the database
 * restarts. Members get the page; for all others it does not exist.
 */
export async function runGroups(): Promise<Outcome> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-groups-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'policy.json')
  const readers = Array.from({ length: READERS }, (_, index) => `reader-${index}@example.co.jp`)
  const memberships: Membership[] = []
  const change = async (members: readonly string[]) => {
    const fromMs = performance.now()
    const policy = { domains: ['example.co.jp'], groups: { staff: members } }
    await writeFile(`${file}.new`, JSON.stringify(policy))
    await rename(`${file}.new`, file)
    memberships.push({ members: new Set(members), fromMs, byMs: performance.now() })
  }
  await change(readers)
  const cluster = cleanup.use(
    await startCluster({
      ...{ gates: 3, pages: 10, texts: ['初版'], staffPage: STAFF_PAGE },
      env: { SEKISHO_POLICY_FILE: file, SEKISHO_ALLOWED_DOMAINS: '' },
    }),
  )
  const { issuer, gates, postgres } = cluster
  const [first] = gates
  if (first === undefined) throw new Error('too few gates')
  const ending = new AbortController()
  const seen: Answered[] = []
  const asking = readers.map(async (reader) => {
    const { cookie } = await signIn(issuer, first.port, reader)
    while (!ending.signal.aborted) {
      const { port } = gates[randomInt(gates.length)] ?? first
      const beganMs = performance.now()
      const { status, body } = await ask({ port, path: STAFF_PAGE, cookie: cookie ?? '' })
      seen.push({
        ...{ reader, status, holdsContent: body.includes(`<h1>${STAFF_PAGE}</h1>`), beganMs },
        endedMs: performance.now(),
      })
      await sleep(20)
    }
  })
  const changing = (async () => {
    while (!ending.signal.aborted) {
      await sleep(CHANGE_MS)
      await change(readers.filter(() => randomInt(2) === 0))
    }
  })()
  await sleep((SECONDS / 6) * 1_000)
  await first.kill()
  await sleep((SECONDS / 6) * 1_000)
  await first.start()
  await postgres.stop()
  await sleep(2_000)
  await postgres.start()
  await sleep((SECONDS / 2) * 1_000)
  ending.abort()
  await Promise.all([...asking, changing])
  for (const gate of gates) await gate.stop()
  return report(seen, memberships)
}

function report(seen: readonly Answered[], memberships: readonly Membership[]): Outcome {
  const wrong = seen.flatMap((one) => {
    const problem = findWrong(one, memberships)
    return problem === null ? [] : [`${(one.beganMs / 1_000).toFixed(2)} s ${one.reader}: ${problem}`]
  })
  const count = (status: number) => seen.filter((one) => one.status === status).length
  const refused = seen.length - count(200) - count(404)
  return {
    rows: [
      [
        `${memberships.length} changes of a group while a gate is killed and the database restarted: pages, 404`,
        `${count(200)}, ${count(404)}`,
        '',
      ],
      ['answers to somebody who was in the group, or was not', wrong.length, '0 wrong'],
      ['refusals meanwhile', refused, 'closed, never open'],
    ],
    problems: [
      ...wrong,
      ...(count(200) * count(404) === 0 ? ['nobody changed sides, so nothing was tried'] : []),
    ],
  }
}

/** A change counts from the next request on: an answer fits one of the memberships that there were while it was asked for. */
function findWrong(one: Answered, memberships: readonly Membership[]): string | null {
  const { status, holdsContent, reader, beganMs, endedMs } = one
  if (holdsContent && status !== 200) return `content beside ${status}`
  if (status === 0 || status === 503) return null
  const then = memberships.filter(({ fromMs }, index) => {
    const replacedMs = memberships[index + 1]?.byMs ?? Number.POSITIVE_INFINITY
    return fromMs <= endedMs && replacedMs >= beganMs
  })
  const wanted = then.map(({ members }) => (members.has(reader) ? 200 : 404))
  return wanted.some((expected) => expected === status) ? null : `${status} instead of ${wanted.join(' or ')}`
}

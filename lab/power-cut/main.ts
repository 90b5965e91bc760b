import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { verifyFolderTrail } from '@sekisho/server/audit'
import { type DataFolder, dataFolderAt } from '@sekisho/server/data-folder'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { findHeader, type WireClient } from '@sekisho/verify'
import { signInWith, startKillableGate } from '../../packages/sekisho/test/support/start-killable-gate.ts'

/**
 * Cuts the power of an ext4 file system under a gate: `npm run power-cut [ROUNDS]`. The shutdown ioctl stops all writes, journal included;
 * after a remount every acknowledged sign-in must exist. In the last rounds syncs do nothing, so sign-ins must be lost.
 */
const ROUNDS = Number(process.argv[2] ?? 10)
const CONTROL_ROUNDS = 2
const SIGN_INS = 300
const READERS = 4
const IMAGE_BYTES = 64 * 1024 * 1024
const WITHOUT_SYNC = new URL('./without-sync.ts', import.meta.url).href
const NOTE_SYNCS = new URL('./note-syncs.ts', import.meta.url).href
/** Besides the time that the disk itself takes for its syncs, so old is a reading at most that is lost. */
const PROMISED_MS = 200
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, then the end of the process: prints when, in ms since the epoch. */
const CUT = `use Time::HiRes; open(my $f, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); my $at = Time::HiRes::time();
  ioctl($f, 0x8004587d, $flags) or die "shutdown: $!"; kill 9, $ARGV[1]; printf '%d', $at * 1000;`
const run = promisify(execFile)

interface Outcome {
  readonly signedIn: number
  readonly lostSignIns: number
  /** Answered within the moment between the cut and the end of the process, which a real cut does not have. */
  readonly lostAfterCut: number
  readonly lostSessions: number
  readonly read: number
  readonly lostReadings: number
  /** Age of the oldest reading that was lost, at the cut. */
  readonly oldestLostMs: number
  /** For how much of that time a sync was under way. */
  readonly ofDiskMs: number
  readonly saysSo: boolean
  readonly problems: readonly string[]
}

const missing = findMissing()
if (missing !== null) {
  console.log(`The trial cannot run here: ${missing}`)
  process.exitCode = 2
} else {
  const outcomes: Outcome[] = []
  for (let round = 0; round < ROUNDS; round += 1) outcomes.push(await runRound(['--import', NOTE_SYNCS]))
  const control: Outcome[] = []
  for (let round = 0; round < CONTROL_ROUNDS; round += 1)
    control.push(await runRound(['--import', WITHOUT_SYNC]))
  console.table([...outcomes, ...control.map((one) => ({ control: true, ...one }))])
  const isKept = outcomes.every(
    ({ lostSignIns, lostSessions, oldestLostMs, ofDiskMs, saysSo, problems }) =>
      lostSignIns + lostSessions + problems.length === 0 && oldestLostMs - ofDiskMs <= PROMISED_MS && saysSo,
  )
  const isShown = control.some(({ lostSignIns }) => lostSignIns > 0)
  console.log(
    isKept
      ? '✔ no sign-in is lost, no reading older than 200 ms and the time of its syncs, and the trail verifies and says so'
      : '✖ something is lost that was promised',
  )
  if (!isShown) console.log('✖ the control lost nothing: this disk shows nothing')
  process.exitCode = isKept && isShown ? 0 : 1
}

function findMissing(): string | null {
  if (process.platform !== 'linux') return 'it needs ext4 on Linux'
  if (process.getuid?.() !== 0) return 'mounting needs root'
  for (const program of ['perl', 'mkfs.ext4', 'mount', 'umount']) {
    const isThere = [...(process.env.PATH ?? '').split(':'), '/sbin', '/usr/sbin'].some((folder) =>
      existsSync(join(folder, program)),
    )
    if (!isThere) return `${program} is not installed`
  }
  return existsSync('/dev/loop-control') ? null : 'there are no loop devices'
}

async function runRound(execArgv: readonly string[]): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'sekisho-power-'))
  const [image, mounted] = [join(root, 'disk.img'), join(root, 'disk')]
  const mount = () => execFileSync('mount', ['-o', 'loop', image, mounted])
  writeFileSync(image, '')
  truncateSync(image, IMAGE_BYTES)
  mkdirSync(mounted)
  execFileSync('mkfs.ext4', ['-q', '-F', image])
  mount()
  try {
    const data = join(mounted, 'data')
    mkdirSync(data)
    const notes = join(root, 'syncs')
    writeFileSync(notes, '')
    const { signedIn, readings, cutMs } = await loadAndCut(data, mounted, execArgv, notes)
    execFileSync('umount', [mounted])
    mount()
    const second = await startKillableGate({ data, name: 'q', people: 1 })
    await signIn(second.client, second.tokens[0] ?? '') // what a start says is on the disk with it
    second.child.kill('SIGTERM')
    await once(second.child, 'exit')
    return await compare(data, { signedIn, readings, cutMs }, readSyncs(notes, cutMs))
  } finally {
    execFileSync('umount', ['--lazy', mounted])
    rmSync(root, { recursive: true })
  }
}

interface Answered {
  /** By subject: when a sign-in was answered with a session, ms since the epoch. */
  readonly signedIn: ReadonlyMap<string, number>
  /** By reader: when each page was in their hands, ms since the epoch. */
  readonly readings: ReadonlyMap<string, readonly number[]>
  readonly cutMs: number
}

async function loadAndCut(
  data: string,
  mounted: string,
  execArgv: readonly string[],
  notes: string,
): Promise<Answered> {
  const env = { SYNC_NOTES: notes }
  const { child, client, tokens } = await startKillableGate({
    data,
    name: 'p',
    people: SIGN_INS,
    execArgv,
    env,
  })
  const signedIn = new Map<string, number>()
  const readings = new Map<string, number[]>()
  const cookies = await Promise.all(tokens.slice(0, READERS).map((token) => signIn(client, token)))
  for (let reader = 0; reader < READERS; reader += 1) signedIn.set(`p-${reader}`, Date.now())
  let isCut = false
  const reading = cookies.map(async (cookie, reader) => {
    const times: number[] = []
    readings.set(`p-${reader}`, times)
    while (!isCut && (await readPage(client, cookie ?? ''))) times.push(Date.now())
  })
  const signing = (async () => {
    for (const [index, token] of tokens.entries()) {
      if (isCut) return
      if (index >= READERS && (await signIn(client, token)) !== null) signedIn.set(`p-${index}`, Date.now())
    }
  })()
  await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700))
  const ended = once(child, 'exit')
  const { stdout } = await run('perl', ['-e', CUT, mounted, String(child.pid)]).finally(() =>
    child.kill('SIGKILL'),
  )
  await ended
  isCut = true
  await Promise.all([...reading, signing])
  return { signedIn, readings, cutMs: Number(stdout) }
}

/** Resolves to the cookie of the new session, or null. */
async function signIn(client: WireClient, idToken: string): Promise<string | null> {
  const outcome = await client.exchange(signInWith(idToken)).catch(() => null)
  if (outcome?.kind !== 'response' || outcome.response.status !== 204) return null
  return findHeader(outcome.response.headers, 'set-cookie')?.split(';')[0] ?? null
}

async function readTrail({ audit }: DataFolder): Promise<readonly Record<string, unknown>[]> {
  const names = readdirSync(audit.lines).filter((name) => name.startsWith('gate-'))
  const lines = names.flatMap((name) => readFileSync(join(audit.lines, name), 'utf8').split('\n'))
  return lines.filter((line) => line.startsWith('{"seq"')).map((line) => JSON.parse(line))
}

async function readPage(client: WireClient, cookie: string): Promise<boolean> {
  const request = { method: 'GET', target: '/docs/guide', headers: [['Cookie', cookie]] } as const
  const outcome = await client.exchange(request).catch(() => null)
  return outcome?.kind === 'response' && outcome.response.status === 200
}

async function compare(
  data: string,
  { signedIn, readings, cutMs }: Answered,
  syncs: readonly Span[],
): Promise<Outcome> {
  const folder = dataFolderAt(data)
  const lines = await readTrail(folder)
  const kept = new Set(lines.filter(({ event }) => event === 'signed_in').map(({ sub }) => sub))
  const store = openSqliteSessions(folder.sessions, { context: null })
  const lost = [...readings].flatMap(([sub, times]) => {
    const found = lines.filter((line) => line.event === 'page_read' && line.sub === sub).length
    return times.filter((ms) => ms <= cutMs).slice(found)
  })
  const oldestMs = Math.min(cutMs, ...lost)
  const sessions = new Set((await store.operators.list()).map(({ sub }) => sub))
  await store.close()
  const signedInBefore = [...signedIn].flatMap(([sub, ms]) => (ms <= cutMs ? [sub] : []))
  const verdict = await verifyFolderTrail(folder)
  return {
    signedIn: signedIn.size,
    lostSignIns: signedInBefore.filter((sub) => !kept.has(sub)).length,
    lostAfterCut: [...signedIn].filter(([sub, ms]) => ms > cutMs && !(kept.has(sub) && sessions.has(sub)))
      .length,
    lostSessions: signedInBefore.filter((sub) => !sessions.has(sub)).length,
    read: [...readings.values()].flat().length,
    lostReadings: lost.length,
    oldestLostMs: Math.round(cutMs - oldestMs),
    ofDiskMs: Math.round(sum(syncs.map(([from, to]) => Math.max(0, to - Math.max(from, oldestMs))))),
    saysSo: lines.some(({ event }) => event === 'restarted_uncleanly'),
    problems: verdict.problems.map(({ problem }) => String(problem)),
  }
}

type Span = readonly [fromMs: number, toMs: number]

/** Periods of running syncs; one that was running at the cut ends with it. */
function readSyncs(file: string, cutMs: number): readonly Span[] {
  const syncs: Span[] = []
  let beganMs: number | null = null
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [what, at] = line.split(' ')
    if (what === 'began') beganMs = Number(at)
    if (what !== 'ended' || beganMs === null) continue
    syncs.push([beganMs, Math.min(Number(at), cutMs)])
    beganMs = null
  }
  return beganMs === null ? syncs : [...syncs, [beganMs, Math.max(beganMs, cutMs)]]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

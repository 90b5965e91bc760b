import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createWireClient, type WireClient, type WireOutcome } from '@sekisho/verify'
import { HOST } from '../../packages/sekisho/test/support/serving-gate.ts'
import { hostileRequests } from './hostile-requests.ts'
import { mixedRequests } from './mixed-requests.ts'

/**
 * `npm run soak`: 100,000 mixed requests, then a reader among 10,000 slow connections. `-- --hostile 300`: so many seconds of fifteen hostile
 * kinds. Fails when memory or descriptors grow after the warm-up, on a fault, and when a reader waits or is refused.
 */
const REQUESTS = Number(process.argv[2] ?? 100_000)
const SLOW_CONNECTIONS = Number(process.argv[3] ?? 10_000)
const ROUNDS = 10
const MAX_GROWTH_MB = 16
/** Connections of the client that were just opened or are about to be closed. */
const MAX_MORE_DESCRIPTORS = 32
const MAX_READER_MS = 2_000

interface Started {
  readonly port: number
  readonly cookies: readonly string[]
  readonly paths: readonly string[]
}
interface Memory {
  readonly heapMb: number
  readonly rssMb: number
  readonly descriptors: number
}

const script = fileURLToPath(new URL('./gate-process.ts', import.meta.url))
const child = fork(script, [], { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
const started = await receive<Started>(child)
const client = createWireClient(new URL(`http://127.0.0.1:${started.port}`), { host: HOST })
const isHostile = process.argv[2] === '--hostile'
const problems = isHostile
  ? await hostile(client, started, Number(process.argv[3] ?? 300) * 1_000)
  : [...(await soak(client, started)), ...(await slowly(client, started))]
child.disconnect()
for (const problem of problems) console.log(`✖ ${problem}`)
if (problems.length === 0)
  console.log('✔ memory and descriptors are flat, no fault, and a reader is served among the others')
process.exitCode = problems.length === 0 ? 0 : 1

async function soak(wire: WireClient, { cookies, paths }: Started): Promise<string[]> {
  const all = mixedRequests(REQUESTS, { cookies, paths, host: HOST })
  const statuses = new Map<string, number>()
  const memory: Memory[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const part = Array.from({ length: REQUESTS / ROUNDS }, () => all.next().value).filter(
      (one) => one !== undefined,
    )
    await wire.exchangeAll(part, (_probe, outcome) => {
      const kind = outcome.kind === 'response' ? String(outcome.response.status) : outcome.kind
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    })
    child.send('memory')
    const now = await receive<Memory>(child)
    memory.push(now)
    const done = ((round + 1) * REQUESTS) / ROUNDS
    const figures = `heap ${now.heapMb.toFixed(1)} MB, resident ${now.rssMb.toFixed(0)} MB, ${now.descriptors} descriptors`
    console.log(`${done} requests: ${figures}`)
  }
  console.log(Object.fromEntries([...statuses].toSorted()))
  const moreDescriptors = (memory.at(-1)?.descriptors ?? 0) - (memory[1]?.descriptors ?? 0)
  const growthMb = (memory.at(-1)?.heapMb ?? 0) - (memory[1]?.heapMb ?? 0)
  const problems =
    growthMb > MAX_GROWTH_MB ? [`the heap grew by ${growthMb.toFixed(1)} MB after the warm-up`] : []
  if (moreDescriptors > MAX_MORE_DESCRIPTORS) problems.push(`${moreDescriptors} more descriptors are open`)
  if (statuses.has('500')) problems.push(`${statuses.get('500')} faults`)
  if (statuses.has('timeout')) problems.push(`${statuses.get('timeout')} requests without an answer`)
  return problems
}

/** A colleague asks for a page five times a second; the first minute is the warm-up. */
async function hostile(wire: WireClient, { cookies, port }: Started, ms: number): Promise<string[]> {
  const colleague = createWireClient(new URL(`http://127.0.0.1:${port}`), { host: HOST })
  const [own = '', ...others] = cookies
  const untilMs = performance.now() + ms
  const statuses = new Map<string, number>()
  const waits: number[] = []
  const memory: Memory[] = []
  let refused = 0
  const read = async () => {
    while (performance.now() < untilMs) {
      const startedMs = performance.now()
      const outcome = await colleague.exchange({
        method: 'GET',
        target: '/docs/secret',
        headers: [['Cookie', own]],
      })
      waits.push(performance.now() - startedMs)
      if (outcome.kind !== 'response' || outcome.response.status !== 200) refused += 1
      await setTimeout(200)
    }
  }
  const measure = async () => {
    while (performance.now() < untilMs) {
      await setTimeout(Math.min(60_000, Math.max(1, untilMs - performance.now())))
      child.send('memory')
      const now = await receive<Memory>(child)
      memory.push(now)
      console.log(
        `heap ${now.heapMb.toFixed(1)} MB, resident ${now.rssMb.toFixed(0)} MB, ${now.descriptors} descriptors`,
      )
    }
  }
  const note = ({ kind }: { readonly kind: number }, outcome: WireOutcome) => {
    const status = outcome.kind === 'response' ? outcome.response.status : outcome.kind
    const key = `${String(kind).padStart(2)}: ${status}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
  }
  const flood = wire.exchangeAll(hostileRequests(untilMs, { cookies: others, host: HOST }), note)
  await Promise.all([read(), measure(), flood])
  console.log(Object.fromEntries([...statuses].toSorted()))
  const p99 = waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0
  console.log(`a colleague: ${waits.length} pages, ${refused} refused, 99 of 100 within ${p99.toFixed(0)} ms`)
  const grownMb = (memory.at(-1)?.heapMb ?? 0) - (memory[0]?.heapMb ?? 0)
  return [
    ...(grownMb > MAX_GROWTH_MB ? [`the heap grew by ${grownMb.toFixed(1)} MB after the first minute`] : []),
    ...(refused > 0 ? [`a colleague was refused ${refused} times`] : []),
    ...[...statuses.keys()]
      .filter((key) => key.endsWith(' 500'))
      .map((key) => `a fault was answered: ${key}`),
  ]
}

async function slowly(wire: WireClient, { port, cookies }: Started): Promise<string[]> {
  const sockets: Socket[] = []
  const settled: Promise<unknown>[] = []
  let connected = 0
  for (let index = 0; index < SLOW_CONNECTIONS; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % 8)}` })
    socket.on('error', () => {}) // being dropped is what is expected
    socket.once('connect', () => {
      connected += 1
      socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nX-Slow: `)
    })
    sockets.push(socket)
    settled.push(new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)))
    if (index % 250 === 0) await Promise.all(settled)
  }
  await Promise.all(settled)
  const startedMs = performance.now()
  const headers = [['Cookie', cookies[0] ?? '']] as const
  const outcome = await wire.exchange({ method: 'GET', target: '/docs/secret', headers })
  const tookMs = performance.now() - startedMs
  const held = sockets.filter((socket) => !socket.destroyed).length
  console.log(`${connected} slow connections, ${held} held at a time: a reader waits ${tookMs.toFixed(0)} ms`)
  for (const socket of sockets) socket.destroy()
  if (connected < SLOW_CONNECTIONS)
    return [`only ${connected} connections could be opened: raise the limit of open files (ulimit -n)`]
  const isServed = outcome.kind === 'response' && outcome.response.status === 200 && tookMs < MAX_READER_MS
  return isServed ? [] : ['a reader was not served in time among slow connections']
}

async function receive<Message>(from: ChildProcess): Promise<Message> {
  const [message] = await once(from, 'message')
  return message as Message // the gate process of this folder sends nothing else
}

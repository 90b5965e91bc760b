import pg from 'pg'
import { problemOf } from '../texts/index.ts'
import { DatabaseError } from './failures.ts'
import { connectToPrimary, type Found } from './server-connection.ts'

/** Handler of the database's notifications. */
export type NotificationListener = (channel: Channel, payload: string) => void
type Channel = (typeof CHANNELS)[number]

/** `sekisho_ended` carries keys of sessions, separated by commas; empty: any. `sekisho_revoked` carries nothing. */
const CHANNELS = ['sekisho_ended', 'sekisho_revoked'] as const

/**
 * The connection that listens. It also decides which server is in use: it notices a lost one first, and its successor gets no other
 * requests before `onServer` is done.
 */
interface Listening {
  /** Tells if a notification that is sent now would arrive. */
  hears(): boolean
  /** By how much this machine's clock is ahead of the server's. */
  skewMs(): number
  close(): Promise<void>
}

interface ListeningOptions {
  readonly urls: readonly string[]
  readonly settings: Omit<pg.ClientConfig, 'connectionString'>
  readonly onNotification: NotificationListener
  /** Told of each server that is found, before anything is heard from it; rejecting has it looked for again. */
  readonly onServer: (found: Found) => Promise<void>
  /** Told once of each outage, and of its end. */
  readonly onProblem: (problem: string) => void
  readonly backoffMs: (failures: number) => number
}

const HEARTBEAT_MS = 2_000
/** A heart that is silent for longer is taken for dead. */
const BEAT_TIMEOUT_MS = 2_000

/** Connects, and listens before it resolves; rejects where it cannot. From then on it comes back by itself. */
export async function openListening(options: ListeningOptions): Promise<Listening> {
  const { urls, settings, onNotification, onServer, onProblem, backoffMs } = options
  let listening: pg.Client | null = null
  let skewMs = 0
  let attempts = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const found = await connectToPrimary(urls, settings).catch(explainPooler)
    const { client } = found
    const lost = () => {
      if (listening !== client) return
      listening = null
      onProblem('the listening connection was lost')
      schedule()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload = '' }) => {
      const known = CHANNELS.find((name) => name === channel)
      if (known !== undefined) onNotification(known, payload)
    })
    try {
      if (found.isPooled) throw new DatabaseError(problemOf('behind_pooler'))
      await client.query(CHANNELS.map((name) => `LISTEN ${name}`).join('; '))
      await beat(client)
      await onServer(found)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (isClosed) return client.end()
    listening = client
    attempts = 0
    for (const channel of CHANNELS) onNotification(channel, '')
  }
  async function beat(client: pg.Client): Promise<void> {
    const text = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'
    const asked = { text, query_timeout: BEAT_TIMEOUT_MS }
    const { rows } = await client.query(asked)
    skewMs = Date.now() - Number(rows[0]?.now)
  }
  /** A connection that is cut off says nothing, so it is asked; one that is lost is reopened, with back-off. */
  function schedule(): void {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(lookAfter, listening === null ? backoffMs(attempts) : HEARTBEAT_MS)
    timer.unref()
  }
  async function lookAfter(): Promise<void> {
    const client = listening
    try {
      if (client !== null) await beat(client)
      else {
        attempts += 1
        await listen()
        onProblem('the listening connection is back')
      }
    } catch {
      listening = null
      if (client !== null) onProblem('the listening connection does not answer')
      client?.end().catch(() => {})
    }
    schedule()
  }

  await listen()
  schedule()
  return {
    hears: () => listening !== null,
    skewMs: () => skewMs,
    async close() {
      isClosed = true
      clearTimeout(timer)
      const client = listening
      listening = null
      await client?.end().catch(() => {})
    },
  }
}

/** One that is not told to ignore a gate's timeouts refuses them at once. */
function explainPooler(error: unknown): never {
  const isRefusal =
    error instanceof pg.DatabaseError && error.message.includes('unsupported startup parameter')
  throw isRefusal ? new DatabaseError(problemOf('behind_pooler')) : error
}

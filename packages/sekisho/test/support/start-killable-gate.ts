import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ORIGIN } from '@sekisho/server/testing'
import { createWireClient, type WireClient } from '@sekisho/verify'

/** A gate of tests in a process of its own, and a client for it. */
interface KillableGate {
  readonly child: ChildProcess
  readonly client: WireClient
  /** ID tokens of so many people as were wanted, each valid once. */
  readonly tokens: string[]
}

interface KillableGateOptions {
  readonly data: string
  /** Begins the subjects of the tokens. */
  readonly name: string
  readonly people: number
  readonly execArgv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a gate that may be killed at any moment. Rejects with what it printed when it does not start. */
export async function startKillableGate(options: KillableGateOptions): Promise<KillableGate> {
  const { data, name, people, execArgv = [], env } = options
  const script = fileURLToPath(new URL('./killable-gate.ts', import.meta.url))
  const child = fork(script, [data, name, String(people)], {
    execArgv: [...execArgv],
    env: { ...process.env, ...env },
    silent: true,
  })
  const printed: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => printed.push(chunk))
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the gate did not start (${code}): ${Buffer.concat(printed)}`)
  })
  died.catch(() => {}) // it dies later, as it is meant to
  const [{ port, tokens }] = (await Promise.race([once(child, 'message'), died])) as [
    { port: number; tokens: string[] },
  ] // our own script's
  const client = createWireClient(new URL(`http://127.0.0.1:${port}`), {
    host: ORIGIN.host,
    timeoutMs: 60_000,
  })
  return { child, client, tokens }
}

/** The request that signs in with an ID token. */
export function signInWith(idToken: string): Parameters<WireClient['exchange']>[0] {
  return {
    method: 'POST',
    target: '/__gate/session',
    headers: [
      ['Origin', ORIGIN.origin],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({ idToken, refreshToken: idToken }), // the test gate exchanges it for itself
  }
}

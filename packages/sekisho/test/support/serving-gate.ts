import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@sekisho/server/state/testing'

export const HOST = 'docs.example.co.jp'
export const SECRET = 'q3Wb7xN0v2LrT8cYpKd5HsZ1mJfG6uEaR9tXo4QiVwA='

/** Context of its sessions. */
export const CONTEXT = { origin: `https://${HOST}`, projectId: 'portal-1234' }

/** Settings that the README tells an operator to set, for an unused Firebase project. */
export const SETTINGS = {
  SEKISHO_ORIGIN: CONTEXT.origin,
  FIREBASE_API_KEY: 'key',
  FIREBASE_PROJECT_ID: CONTEXT.projectId,
  FIREBASE_AUTH_DOMAIN: HOST,
  SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
  SEKISHO_SECRET: SECRET,
  SEKISHO_TRUSTED_PROXIES: '127.0.0.1',
}

export const SEKISHO = fileURLToPath(new URL('../../bin/sekisho.mjs', import.meta.url))

interface ServingGateOptions {
  readonly dataDir: string
  /** The installation's `sekisho.mjs`; this repository's own unless told otherwise. */
  readonly sekisho?: string
  /** Settings beside, or in the place of, {@link SETTINGS}. */
  readonly env?: Readonly<Record<string, string>>
  /** Runs it inside a shell, as npm does; the shell is then `child`. */
  readonly inShell?: boolean
  /** A free one unless told otherwise. */
  readonly port?: number
  /** Options of the Node that runs it. */
  readonly nodeArgs?: readonly string[]
  /** `--local`: the log goes to standard error. */
  readonly isLocal?: boolean
  /** Destination of its output: pipes that this process reads, by default. */
  readonly stdio?: { readonly stdout: Output; readonly stderr: Output }
}

/** A pipe that is read, an unread pipe, or an open file. */
export type Output = 'read' | 'unread' | number

/** `sekisho serve` in production mode, in a process of its own. */
export interface ServingGate extends AsyncDisposable {
  readonly child: ChildProcess
  readonly port: number
  /** Everything it printed so far. */
  output(): string
}

/** Starts it and waits until it answers; a process that ends before that throws what it printed. */
export async function startServingGate(options: ServingGateOptions): Promise<ServingGate> {
  const port = options.port ?? (await findFreePort())
  const { command, args } = commandOf(options)
  const { PATH, HOME, TMPDIR } = process.env // and nothing else: the operator's shell is not ours
  const { stdout, stderr } = options.stdio ?? { stdout: 'read', stderr: 'read' }
  const child = spawn(command, args, {
    stdio: ['ignore', ...[stdout, stderr].map((to) => (typeof to === 'number' ? to : 'pipe'))],
    env: {
      ...{ PATH, HOME, TMPDIR },
      ...(options.isLocal === true ? { SEKISHO_LOG_LEVEL: 'info' } : SETTINGS),
      ...options.env,
      SEKISHO_DATA_DIR: options.dataDir,
      SEKISHO_PORT: String(port),
      ...(options.inShell === true && { npm_command: 'exec' }),
    },
  })
  const chunks: string[] = []
  if (stdout === 'read') child.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
  if (stderr === 'read') child.stderr?.on('data', (chunk) => chunks.push(String(chunk)))
  const output = () => chunks.join('')
  while (!(await isHealthy(port, options.isLocal === true ? `localhost:${port}` : HOST))) {
    if (child.exitCode !== null) throw new Error(`the gate ended with ${child.exitCode}:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    child,
    port,
    output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** In a shell something has to follow the program, or the shell makes way for it and the case is another one. */
function commandOf({ sekisho = SEKISHO, inShell, isLocal, nodeArgs = [] }: ServingGateOptions) {
  const local = isLocal === true ? ['--local'] : []
  if (inShell !== true) return { command: process.execPath, args: [...nodeArgs, sekisho, 'serve', ...local] }
  return { command: 'sh', args: ['-c', '"$0" "$1" serve; true', process.execPath, sekisho] }
}

/** It listens before it can answer, so that a taken port is said at once; until then it answers 503. */
function isHealthy(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/__gate/health', headers: { Host: host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).once('error', () => resolve(false))
  })
}

/** Tells if a port accepts connections. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', (hadError) => resolve(!hadError))
  })
}

/** Resolves once the port refuses connections. */
export async function untilRefused(port: number): Promise<void> {
  while (await isListening(port)) await new Promise((resolve) => setTimeout(resolve, 50))
}

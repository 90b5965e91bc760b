import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { formatGrants, type Grant } from '@sekisho/contract/grants'
import { createMessages, type Language } from '@sekisho/contract/language'
import { listReleaseIds } from '@sekisho/release'
import type { OpenedRelease, Reader } from '@sekisho/verify'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'verify')

/** A gate to verify: where to connect, what to call it, and who may read there. */
export interface GateAddress {
  readonly url: URL
  readonly host: string
  readonly reader: Reader | null
}

interface OwnGate extends GateAddress, AsyncDisposable {
  /** The Cookie header of a reader of each edition, by its name. */
  readonly readers: ReadonlyMap<string, string>
  /** The Authorization header of an agent of each of them. */
  readonly agents: ReadonlyMap<string, string>
}

/** The gate could not be started, so there is nothing to verify. */
class OwnGateError extends ExplainedError {
  override readonly name = 'OwnGateError'
  readonly code = 'own_gate_failed'
}

/** Options of a gate, besides a release. */
interface OwnGateOptions {
  readonly loginLanguage: Language
  readonly grants?: readonly Grant[]
}

/** Starts a gate over one release, with a data folder of its own: sessions and audit trail stay untouched. */
export async function startOwnGate(
  releasesDir: string,
  release: Pick<OpenedRelease, 'id' | 'site' | 'editions'>,
  { loginLanguage, grants = [] }: OwnGateOptions = { loginLanguage: 'ja' },
): Promise<OwnGate> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sekisho-verify-'))
  await mkdir(join(dataDir, 'releases'))
  const kept = await listReleaseIds(releasesDir) // of which a gate serves files to tabs that are still open
  for (const id of new Set([release.id, ...kept]))
    await symlink(resolve(releasesDir, id), join(dataDir, 'releases', id), 'junction')
  await writeFile(join(dataDir, 'releases', 'current'), `${release.id}\n`)
  const script = fileURLToPath(new URL('./own-gate-process.ts', import.meta.url))
  const { site } = release
  const editions = release.editions.map(({ name, audiences }) => [name, ...audiences].join())
  const settings = [dataDir, loginLanguage, formatGrants(grants), site.title, site.tagline]
  const child = fork(script, [...settings, ...editions], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = async () => {
    await stopChild(child)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    return { ...(await readAddress(child)), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readAddress(child: ChildProcess): Promise<Omit<OwnGate, keyof AsyncDisposable>> {
  const ended = once(child, 'exit').then(() => {
    throw new OwnGateError(messageOf('own_gate_ended'))
  })
  const [message]: unknown[] = await Promise.race([once(child, 'message'), ended])
  if (typeof message !== 'object' || message === null)
    throw new OwnGateError(messageOf('own_gate_unresponsive'))
  const isWhole = 'port' in message && 'host' in message && 'cookies' in message && 'editions' in message
  if (!isWhole || !Array.isArray(message.cookies) || !Array.isArray(message.editions)) {
    throw new OwnGateError(messageOf('own_gate_unresponsive'))
  }
  const [cookie = '', one = '', ...together] = message.cookies.map(String)
  return {
    url: new URL(`http://127.0.0.1:${message.port}`),
    host: String(message.host),
    reader: { cookie, ends: { one, together } },
    readers: new Map(message.editions.map(([name, own]) => [String(name), String(own)])),
    agents: new Map(message.editions.map(([name, , token]) => [String(name), String(token)])),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

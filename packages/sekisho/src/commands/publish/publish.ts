import { hash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { isPreviewName, previewOrigin } from '@sekisho/contract/preview-host'
import type { PublishTarget, ReleaseServed } from '@sekisho/contract/publishing'
import { loadManifest, type Manifest, ReleaseError, readPointer } from '@sekisho/release'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
  type ValuesOf,
} from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { findCredentials } from './credentials.ts'
import { connectPortal, type PortalClient, PortalError } from './portal-client.ts'
import { sendRelease } from './send-release.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const HELP: Message = messageOf('publish_help', dataDirHelp(17))

const OPTIONS = {
  to: { type: 'string' },
  preview: { type: 'string' },
  'preview-branch': { type: 'boolean' },
  branch: { type: 'string' },
  commit: { type: 'string' },
  expires: { type: 'string' },
  readers: { type: 'string' },
  'address-file': { type: 'string' },
  widen: { type: 'boolean', default: false },
  ...DATA_DIR,
} as const

type Values = ValuesOf<typeof OPTIONS>

/** Runs `sekisho publish`. */
export const runPublish = defineCommand(
  { name: 'publish', help: HELP, options: OPTIONS },
  async (read, io) => {
    const origin = readPortalOrigin(read.values.to)
    if (origin === null) return misuse(io, HELP, messageOf('must_be_https'))
    const { releases } = readDataFolder(read.values['data-dir'], io)
    const id = await readPointer(releases)
    if (id === null) throw new ReleaseError('release_missing', [messageOf('no_release_yet')])
    const target = readTarget(read.values, await loadManifest(releases, id), io)
    const startedMs = io.clock()
    const portal = await connectPortal({ origin, credentials: findCredentials(io, origin), target })
    const use = { id, widen: read.values.widen }
    const served = await sendRelease(portal, releases, use, (sentBytes, totalBytes) =>
      io.progress?.(sayTo(io, messageOf('sending', sentBytes / 1e6, totalBytes / 1e6))),
    ).finally(() => io.progress?.(''))
    const address = addressOf(target, origin)
    const file = read.values['address-file']
    if (file !== undefined) appendFileSync(resolve(io.cwd, file), `address=${address}\n`)
    report({ portal, address, id, seconds: (io.clock() - startedMs) / 1_000 }, io)
    reportOthers(served, io)
    return 0
  },
)

/** An https origin, or one of this machine; null for anything else. */
export function readPortalOrigin(text: string | undefined): URL | null {
  const url = URL.parse(text ?? '')
  if (url === null || `${url.origin}/` !== url.href) return null
  const isHere = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || isHere ? url : null
}

function readTarget(values: Values, { source }: Manifest, { env }: CommandIo): PublishTarget {
  const { expires, readers } = values
  const isOfBranch = values['preview-branch'] === true
  if (values.preview === undefined && !isOfBranch) return 'production'
  const problems: Message[] = []
  const branch = values.branch ?? env.GITHUB_HEAD_REF ?? env.GITHUB_REF_NAME ?? env.CI_COMMIT_REF_NAME
  const commit = values.commit ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? source?.commit
  const preview = values.preview ?? previewNameOf(branch ?? '')
  if (!isPreviewName(preview)) problems.push(messageOf('preview_name'))
  if (!branch) problems.push(messageOf('name_branch'))
  if (!commit) problems.push(messageOf('name_commit'))
  if (expires !== undefined && !/^[1-9]\d?$/.test(expires)) problems.push(messageOf('expires_days'))
  if (problems.length > 0) throw new PortalError(problems)
  return {
    preview,
    branch: branch ?? '',
    commit: commit ?? '',
    ...(expires !== undefined && { expiresInDays: Number(expires) }),
    ...(readers !== undefined && { readers: readReaders(readers) }),
  }
}

function readReaders(list: string) {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return {
    domains: entries.filter((entry) => !entry.includes('@')),
    emails: entries.filter((entry) => entry.includes('@')),
  }
}

/** A branch as the name of its preview; one that cannot be written so is told from others by a few digits. */
export function previewNameOf(branch: string): string {
  const plain = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (plain === branch && isPreviewName(plain)) return plain
  const digits = hash('sha256', branch).slice(0, 6)
  return `${plain.slice(0, 33).replace(/-$/, '')}-${digits}`.replace(/^-/, '')
}

function addressOf(target: PublishTarget, origin: URL): string {
  return (target === 'production' ? origin : (previewOrigin(target.preview, origin) ?? origin)).origin
}

interface Published {
  readonly portal: PortalClient
  readonly address: string
  readonly id: string
  readonly seconds: number
}

function report({ portal, address, id, seconds }: Published, io: CommandIo): void {
  const sent = `${(portal.sentBytes() / 1e6).toFixed(2)} MB`
  const lastPartAtMs = portal.lastPartAtMs()
  const after = lastPartAtMs === null ? 0 : (performance.now() - lastPartAtMs) / 1_000
  io.print(sayTo(io, messageOf('release_served', id, address)))
  io.print(sayTo(io, messageOf('sent_in_s', sent, seconds, after)))
}

/** Says what is not served yet: the gate that answered is the only one that knows. */
export function reportOthers({ othersLookEveryMs }: ReleaseServed, io: CommandIo): void {
  if (othersLookEveryMs === null) return
  const seconds = othersLookEveryMs / 1_000
  io.print(sayTo(io, messageOf('other_gates_interval', seconds)))
}

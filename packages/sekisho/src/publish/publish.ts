import { hash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isPreviewName, previewOrigin } from '@sekisho/contract/preview-host'
import type { PublishTarget, ReleaseServed } from '@sekisho/contract/publishing'
import { loadManifest, type Manifest, ReleaseError, readPointer } from '@sekisho/release'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from '../command.ts'
import { choose, type Text } from '../language.ts'
import { explainState } from '../open-state.ts'
import { findCredentials, NoCredentialsError } from './credentials.ts'
import { connectPortal, type PortalClient, PortalError } from './portal-client.ts'
import { sendRelease } from './send-release.ts'

const HELP: Text = {
  ja: `使い方: sekisho publish --to ORIGIN [--preview NAME] [--data-dir DIR]

sekisho build または sekisho pack で作ったリリースを、動いているゲートに送って公開します。送るのは、ゲートにない分だけです。
途中で切れても、送れた分は送り直しません。CI では、ジョブの ID トークンで名乗ります（GitHub Actions: permissions の id-token: write、
GitLab CI: id_tokens の SEKISHO_ID_TOKEN）。手元からは、sekisho tokens create で作ったトークンを SEKISHO_PUBLISH_TOKEN に設定します。

  --to ORIGIN      ポータルのアドレス（https://docs.example.co.jp）
  --preview NAME   ポータルではなく、この名前のプレビューとして公開する（a-z、0-9、- で 3〜40 文字）
  --preview-branch プレビューの名前をブランチから作る
  --branch NAME    プレビューのブランチ（既定: CI の変数）
  --commit ID      プレビューのコミット（既定: CI の変数、またはリリースの記録）
  --expires DAYS   プレビューの期限（日数、既定 14）
  --readers LIST   プレビューを読める人を、ポータルの読者のうちのドメインとアドレスに絞る（カンマ区切り）
  --address-file F 公開したアドレスを address=… の形でファイルに書き足す（$GITHUB_OUTPUT、GitLab の dotenv）
${dataDirHelp(17, 'ja')}
  --help           この説明を表示する`,
  en: `Usage: sekisho publish --to ORIGIN [--preview NAME] [--data-dir DIR]

Sends the release that sekisho build or sekisho pack made to a running gate, and has it served. Only what the gate lacks is sent, and
what has arrived when a connection breaks is not sent again. In a CI the job's ID token says who is publishing (GitHub Actions:
permissions id-token: write; GitLab CI: id_tokens SEKISHO_ID_TOKEN); from a laptop, SEKISHO_PUBLISH_TOKEN (sekisho tokens create).

  --to ORIGIN      the portal's address, as in https://docs.example.co.jp
  --preview NAME   publish a preview of that name instead (3 to 40 of a-z, 0-9 and -)
  --preview-branch call the preview after its branch
  --branch NAME    what the preview is of (default: what the CI says)
  --commit ID      its commit (default: what the CI says, or the release)
  --expires DAYS   how long the preview lives (default 14)
  --readers LIST   let only these domains and addresses among the portal's readers see the preview, separated by commas
  --address-file F append the address to a file as address=… ($GITHUB_OUTPUT, a dotenv report of GitLab)
${dataDirHelp(17, 'en')}
  --help           show this text`,
}

const OPTIONS = {
  to: { type: 'string' },
  preview: { type: 'string' },
  'preview-branch': { type: 'boolean' },
  branch: { type: 'string' },
  commit: { type: 'string' },
  expires: { type: 'string' },
  readers: { type: 'string' },
  'address-file': { type: 'string' },
  ...DATA_DIR,
} as const

interface Values {
  readonly preview?: string
  readonly 'preview-branch'?: boolean
  readonly branch?: string
  readonly commit?: string
  readonly expires?: string
  readonly readers?: string
}

/** Runs `sekisho publish`. */
export const runPublish: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS })
  if (!read.ok) return read.exitCode
  const origin = readPortalOrigin(read.values.to)
  if (origin === null) {
    io.complain(
      `${choose(io, { ja: '--to に https のアドレスを指定してください', en: '--to must be an https origin' })}\n\n${choose(io, HELP)}`,
    )
    return 2
  }
  const { releases } = readDataFolder(read.values['data-dir'], io)
  return explainPortal('publish', io, async () => {
    const id = await readPointer(releases)
    if (id === null) throw new ReleaseError('release_missing', ['there is no release yet: run sekisho build'])
    const target = readTarget(read.values, await loadManifest(releases, id), io)
    const startedMs = io.clock()
    const portal = await connectPortal({ origin, credentials: findCredentials(io, origin), target })
    const served = await sendRelease(portal, releases, id)
    const address = addressOf(target, origin)
    const file = read.values['address-file']
    if (file !== undefined) appendFileSync(resolve(io.cwd, file), `address=${address}\n`)
    report({ portal, address, id, seconds: (io.clock() - startedMs) / 1_000 }, io)
    reportOthers(served, io)
    return 0
  })
}

/** An https origin, or one of this machine; null for anything else. */
export function readPortalOrigin(text: string | undefined): URL | null {
  const url = URL.parse(text ?? '')
  if (url === null || `${url.origin}/` !== url.href) return null
  const isHere = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || isHere ? url : null
}

/** Runs what speaks to a portal, and says in a sentence what is wrong. */
export function explainPortal(name: string, io: CommandIo, run: () => Promise<number>): Promise<number> {
  return explainState(name, io, run, [PortalError, NoCredentialsError])
}

function readTarget(values: Values, { source }: Manifest, { env }: CommandIo): PublishTarget {
  const { expires, readers } = values
  const isOfBranch = values['preview-branch'] === true
  if (values.preview === undefined && !isOfBranch) return 'production'
  const problems: string[] = []
  const branch = values.branch ?? env.GITHUB_HEAD_REF ?? env.GITHUB_REF_NAME ?? env.CI_COMMIT_REF_NAME
  const commit = values.commit ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? source?.commit
  const preview = values.preview ?? previewNameOf(branch ?? '')
  if (!isPreviewName(preview)) problems.push('--preview must be 3 to 40 of a-z, 0-9 and single hyphens')
  if (!branch) problems.push('name the branch with --branch')
  if (!commit) problems.push('name the commit with --commit')
  if (expires !== undefined && !/^[1-9]\d?$/.test(expires))
    problems.push('--expires must be days, 90 at most')
  if (problems.length > 0) throw new PortalError(problems.join('\n'))
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
  io.print(
    choose(io, {
      ja: `リリース ${id} を公開しました: ${address}`,
      en: `Release ${id} is served: ${address}`,
    }),
  )
  io.print(
    choose(io, {
      ja: `  送ったもの ${sent}、${seconds.toFixed(1)} 秒（最後の 1 バイトから ${after.toFixed(1)} 秒で配信）`,
      en: `  sent ${sent} in ${seconds.toFixed(1)} s; served ${after.toFixed(1)} s after the last byte`,
    }),
  )
}

/** Says what is not served yet: the gate that answered is the only one that knows. */
export function reportOthers({ othersLookEveryMs }: ReleaseServed, io: CommandIo): void {
  if (othersLookEveryMs === null) return
  const seconds = othersLookEveryMs / 1_000
  io.print(
    choose(io, {
      ja: `  ゲートがほかにもあるときは、それぞれ ${seconds} 秒ごとに確かめ、新しい分を取り終えると切り替わります`,
      en: `  every other gate looks for it every ${seconds} s, and serves it once it has fetched what is new`,
    }),
  )
}

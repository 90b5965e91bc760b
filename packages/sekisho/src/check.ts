import { readFileSync } from 'node:fs'
import { riskOf } from '@sekisho/contract/grants'
import type { GateConfig } from '@sekisho/gate/settings'
import {
  ConfigError,
  LoginBundleError,
  readLoginBundle,
  readPolicyText,
  SETTINGS,
} from '@sekisho/gate/settings'
import { followCurrent, openReleaseStore, ReleaseError, type ReleaseStore } from '@sekisho/release'
import { dataFolderAt } from '@sekisho/state/data-folder'
import { checkBucket } from './check-bucket.ts'
import type { CommandIo } from './command.ts'
import { type RunCommand, readOptions } from './command.ts'
import { choose, type Text } from './language.ts'
import { checkProse } from './prose.ts'
import { readEnvironment } from './read-environment.ts'
import { explainProblem } from './settings-problems.ts'
import { findSite, SiteError } from './site/find-site.ts'

const WIDTH = Math.max(...Object.keys(SETTINGS).map((name) => name.length))
const HELP: Text = {
  ja: `使い方: sekisho check [--local]
       sekisho check --bucket
       sekisho check --prose [--site DIR]

設定を sekisho serve と同じように読み、誤りをすべて表示します。何も起動しません。

  --local   このマシンだけで使うときの設定を調べる
  --bucket  SEKISHO_RELEASES の示す場所を、あとで消す専用の名前の下で試す。渡したものを保つか、条件に合わない
            書き込みを断るか、知らない相手を断るか
  --prose   サイトのページを textlint に読ませる。規則は .textlintrc.json、なければ日本語の技術文書のもの
  --site DIR  Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --help    この説明を表示する

設定:
${Object.entries(SETTINGS)
  .map(([name, meaning]) => `  ${name.padEnd(WIDTH)}  ${meaning}`)
  .join('\n')}`,
  en: `Usage: sekisho check [--local]
       sekisho check --bucket
       sekisho check --prose [--site DIR]

Reads the settings as sekisho serve would, says everything that is wrong, and starts nothing.

  --local   check for local mode
  --bucket  try what SEKISHO_RELEASES names, below a prefix of its own that is removed again: does it keep what it is
            given, refuse what does not meet its condition, and refuse strangers?
  --prose   have textlint read the site's pages, by the rules of its .textlintrc.json or those for technical Japanese
  --site DIR  the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --help    show this text

Settings:
${Object.entries(SETTINGS)
  .map(([name, meaning]) => `  ${name.padEnd(WIDTH)}  ${meaning}`)
  .join('\n')}`,
}

const OPTIONS = {
  local: { type: 'boolean' },
  bucket: { type: 'boolean' },
  prose: { type: 'boolean' },
  site: { type: 'string' },
} as const

/** Runs `sekisho check`: exit code 0 only when the gate would start, admit people, and not everybody. */
export const runCheck: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS })
  if (!read.ok) return read.exitCode
  const { local = false, bucket = false, prose = false, site } = read.values
  if (prose) return await checkProseOf(site, io)
  const problems = bucket ? await checkBucket(io) : await findProblems(local, io)
  for (const problem of problems) io.complain(`✖ ${explainProblem(problem, io)}`)
  if (problems.length === 0)
    io.print(choose(io, { ja: '✔ 設定に誤りはありません。', en: '✔ Everything is set.' }))
  return problems.length === 0 ? 0 : 1
}

async function checkProseOf(site: string | undefined, io: CommandIo): Promise<number> {
  try {
    return await checkProse(findSite(io.cwd, site).dir, io)
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    io.complain(`sekisho check: ${error.message}`)
    return 1
  }
}

async function findProblems(local: boolean, io: CommandIo): Promise<readonly string[]> {
  try {
    const config = await readEnvironment(local ? 'local' : 'production', io)
    describe(config, io)
    return [
      ...findIdentityProblems(config),
      ...config.risks.filter(({ isAccepted }) => !isAccepted).map(({ problem }) => problem),
      ...findPolicyFileProblems(config),
      ...(await findLoginPageProblems()),
      ...(await findReleaseProblems(config)),
    ]
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

function describe(config: GateConfig, io: CommandIo): void {
  const { print } = io
  print(`  origin      ${config.origin?.origin ?? `http://localhost:${config.listen.port}`}`)
  print(`  listening   ${config.listen.host}:${config.listen.port}`)
  print(`  data        ${dataFolderAt(config.dataDir).root}`)
  print(
    `  identity    ${config.identity.providers.map(({ summary }) => summary).join(', ') || 'not configured'}`,
  )
  const { access } = config
  print(
    'file' in access
      ? `  admitted    as ${access.file} says`
      : `  admitted    ${[...access.policy.domains]
          .map((domain) => `@${domain}`)
          .concat([...access.policy.emails])
          .join(', ')}`,
  )
  for (const grant of config.grants) print(`  granted     ${grant.kind} ${grant.source}: ${riskOf(grant)}`)
  for (const { problem, isAccepted } of config.risks)
    if (isAccepted) print(`  accepted    ${explainProblem(problem, io)}`)
}

function findIdentityProblems({ identity, origin }: GateConfig): readonly string[] {
  return [
    ...identity.problems.map((problem) => `${problem}: the gate would start but admit nobody`),
    ...(origin === null ? [] : identity.providers.flatMap((provider) => provider.findProblems(origin))),
  ]
}

function findPolicyFileProblems({ access }: GateConfig): readonly string[] {
  if (!('file' in access)) return []
  try {
    const { problems } = readPolicyText(readFileSync(access.file, 'utf8'))
    return problems.map((problem) => `${access.file}: ${problem}`)
  } catch {
    return [`SEKISHO_POLICY_FILE cannot be read: ${access.file}`]
  }
}

async function findLoginPageProblems(): Promise<readonly string[]> {
  try {
    await readLoginBundle()
    return []
  } catch (error) {
    if (error instanceof LoginBundleError) return [error.message]
    throw error
  }
}

async function findReleaseProblems({ dataDir, releases: place }: GateConfig): Promise<readonly string[]> {
  if (place !== null) return findStoreProblems(openReleaseStore(place))
  const { releases: releasesDir } = dataFolderAt(dataDir)
  const options = { releasesDir, elapsed: () => performance.now(), onProblem: () => {} }
  const status = (await followCurrent(options)).status()
  if (status.state === 'ready')
    return status.refused === null ? [] : [`the newest release is refused: ${status.refused}`]
  return [
    status.state === 'none' ? 'there is no release yet: run sekisho build' : `the release: ${status.reason}`,
  ]
}

async function findStoreProblems(store: ReleaseStore): Promise<readonly string[]> {
  try {
    const { id } = await store.readPointer()
    const isKept = (await store.list()).some((kept) => kept.id === id)
    return isKept ? [] : [`there is no release in ${store.place} that is to be served: run sekisho build`]
  } catch (error) {
    if (error instanceof ReleaseError) return error.problems
    throw error
  }
}

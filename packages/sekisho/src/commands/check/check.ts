import { readFileSync } from 'node:fs'
import { riskOf } from '@sekisho/contract/grants'
import {
  createMessages,
  inEveryLanguage,
  type Language,
  Message,
  type MessageOrText,
} from '@sekisho/contract/language'
import { followCurrent, openReleaseStore, ReleaseError, type ReleaseStore } from '@sekisho/release'
import { dataFolderAt } from '@sekisho/server/data-folder'
import type { AccessPolicy, GateConfig, Mode } from '@sekisho/server/settings'
import {
  ConfigError,
  LoginBundleError,
  readGrantSetting,
  readLoginBundle,
  readPolicyText,
  SETTING_TEXTS,
  SETTINGS,
  type SettingRow,
} from '@sekisho/server/settings'
import { checkProse } from '../../authoring/writing/prose.ts'
import { type CommandIo, DATA_DIR, dataDirHelp, defineCommand, misuse } from '../../command.ts'
import { languageOf, sayTo, sayWithCode } from '../../language.ts'
import { readEnvironment } from '../../read-environment.ts'
import { readPlace } from '../../release-store.ts'
import { findSite } from '../../site/find-site.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { problemOf, TEXTS } from '../../texts/index.ts'
import { checkInBrowser } from './browser/check-browser.ts'
import { checkBucketRights } from './checks/bucket.ts'
import { checkLocally, checkSurroundings } from './checks/check-surroundings.ts'
import { found, together } from './checks/finding.ts'
import { checkFreshness } from './freshness.ts'
import { codeOf, describeInstallation, type Installation } from './installation.ts'
import { checkLinks } from './links.ts'

const messageOf = createMessages(TEXTS, 'check')

const WIDTH = Math.max(...Object.keys(SETTINGS).map((name) => name.length))

/** Every setting with what it means and what it is without being set. */
function settingsHelp(language: Language): string {
  const lines = Object.entries<SettingRow>(SETTINGS).map(([name, { fallback }]) => {
    const meaning = Reflect.get(SETTING_TEXTS[language], name).replaceAll('`', '')
    return `  ${name.padEnd(WIDTH)}  ${meaning}${fallback === undefined ? '' : ` (${fallback})`}`
  })
  return lines.join('\n')
}
const HELP = messageOf(
  'check_help',
  dataDirHelp(12),
  new Message('check', 'settings', [], inEveryLanguage(settingsHelp)),
)

const OPTIONS = {
  local: { type: 'boolean' },
  offline: { type: 'boolean' },
  bucket: { type: 'boolean' },
  prose: { type: 'boolean' },
  site: { type: 'string' },
  browser: { type: 'boolean' },
  freshness: { type: 'boolean' },
  links: { type: 'boolean' },
  json: { type: 'boolean', default: false },
  pages: { type: 'string', default: '40' },
  ...DATA_DIR,
} as const
const MAX_PAGES = 10_000

interface BrowserValues {
  readonly pages: string
  readonly 'data-dir'?: string | undefined
}

/** Runs `sekisho check`: exit code 0 only when the gate would start and admit some people, but not all. */
export const runCheck = defineCommand({ name: 'check', help: HELP, options: OPTIONS }, async (read, io) => {
  const { local = false, offline = false, bucket = false, prose = false, site } = read.values
  if (prose) return await checkProse(findSite(io.cwd, site).dir, io)
  if (read.values.browser === true) return await checkBrowser(read.values, io)
  const { json, 'data-dir': dataDir } = read.values
  if (read.values.freshness === true) return await checkFreshness({ dataDir, json }, io)
  if (read.values.links === true) return await checkLinks({ dataDir, json }, io)
  const installation = bucket ? null : await describeInstallation(io, dataDir)
  const quiet = json ? { ...io, print: () => {} } : io
  if (installation !== null) tell(describe(installation), quiet)
  const look = { mode: local ? 'local' : 'production', isOffline: offline, dataDir } as const
  const problems = bucket ? await checkBucket(quiet) : await findProblems(look, quiet)
  if (json) {
    io.print(JSON.stringify({ ok: problems.length === 0, problems: problems.map(codeOf), ...installation }))
    return problems.length === 0 ? 0 : 1
  }
  for (const problem of problems) io.complain(`✖ ${sayWithCode(problem, languageOf(io.env))}`)
  if (problems.length === 0) io.print(sayTo(io, messageOf('check_passed')))
  else if (installation !== null && !local && isUnset(installation))
    io.print(sayTo(io, nextStep(installation)))
  return problems.length === 0 ? 0 : 1
})

const isUnset = ({ settings }: Installation) => !settings.includes('SEKISHO_ORIGIN')

/** The step after this one for a person who has not set up a gate yet. */
function nextStep({ docusaurus, release }: Installation): Message {
  if (release !== null) return messageOf('next_serve_local')
  return docusaurus === null ? messageOf('next_choose') : messageOf('next_start')
}

function describe({ sekisho, node, platform, docusaurus, release, port }: Installation) {
  return [
    messageOf('saw_installed', sekisho, node, platform),
    docusaurus === null ? messageOf('saw_no_site') : messageOf('saw_site', docusaurus),
    release === null ? messageOf('saw_no_release') : messageOf('saw_release', release),
    ...(port === null ? [] : [messageOf('saw_port', port)]),
  ]
}

function tell(facts: readonly Message[], io: CommandIo): void {
  for (const fact of facts) io.print(`  ${sayTo(io, fact)}`)
}

/** For publishers, who need no other setting. */
async function checkBucket(io: CommandIo): Promise<readonly MessageOrText[]> {
  try {
    const place = readPlace(io)
    if (place === null || 'folder' in place) return [found('bucket_none')]
    tell([found('bucket_trying', `s3://${place.bucket.bucket}/${place.bucket.prefix}`)], io)
    return (await checkBucketRights(place.bucket, { mayOnlyRead: null })).findings
  } catch (error) {
    if (error instanceof ReleaseError) return error.problems
    throw error
  }
}

async function checkBrowser(values: BrowserValues, io: CommandIo): Promise<number> {
  const maxPages = Number(values.pages)
  if (!Number.isInteger(maxPages) || maxPages < 1 || maxPages > MAX_PAGES)
    return misuse(io, HELP, found('wrong_pages', MAX_PAGES))
  const problems: Message[] = []
  const grants = readGrantSetting(withSettingsFile(io), problems)
  for (const problem of problems) io.complain(`✖ ${sayWithCode(problem, languageOf(io.env))}`)
  if (problems.length > 0) return 1
  return await checkInBrowser({ dataDir: values['data-dir'], maxPages, grants }, io)
}

interface LookValues {
  readonly mode: Mode
  readonly isOffline: boolean
  readonly dataDir: string | undefined
}

async function findProblems(
  { mode, isOffline, dataDir }: LookValues,
  io: CommandIo,
): Promise<readonly MessageOrText[]> {
  try {
    const config = await readEnvironment(mode, io, dataDir)
    tell(describeConfig(config), io)
    const look = together(
      await Promise.all(isOffline ? checkLocally(config, io) : checkSurroundings(config, io)),
    )
    tell(look.facts, io)
    return [
      ...findIdentityProblems(config),
      ...config.risks.filter(({ isAccepted }) => !isAccepted).map(({ problem }) => problem),
      ...findPolicyFileProblems(config),
      ...(await findLoginPageProblems()),
      ...(isOffline && config.releases !== null ? [] : await findReleaseProblems(config)),
      ...look.findings,
    ]
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

function describeConfig({ origin, listen, identity, access, grants, risks, renamed }: GateConfig) {
  return [
    found('saw_origin', origin?.origin ?? `http://localhost:${listen.port}`),
    found('saw_listening', listen.host, listen.port),
    found('saw_identity', identity.providers.map(({ summary }) => summary).join(', ')),
    'file' in access ? found('saw_policy_file', access.file) : found('saw_policy', whomOf(access.policy)),
    ...grants.map((grant) => found('saw_grant', `${grant.kind} ${grant.source}`, riskOf(grant))),
    ...renamed.map((warning) => found('saw_renamed', warning)),
    ...risks.filter(({ isAccepted }) => isAccepted).map(({ problem }) => found('saw_accepted', problem)),
  ]
}

function whomOf({ domains, emails }: AccessPolicy): string {
  return [...[...domains].map((domain) => `@${domain}`), ...emails].join(', ')
}

function findIdentityProblems({ identity, origin }: GateConfig): readonly MessageOrText[] {
  return [
    ...identity.problems,
    ...(identity.problems.length === 0 ? [] : [problemOf('policy_broken')]),
    ...(origin === null ? [] : identity.providers.flatMap((provider) => provider.findProblems(origin))),
  ]
}

function findPolicyFileProblems({ access }: GateConfig): readonly Message[] {
  if (!('file' in access)) return []
  try {
    const { problems } = readPolicyText(readFileSync(access.file, 'utf8'))
    return problems.map((problem) => problemOf('in_file', access.file, problem))
  } catch {
    return [problemOf('policy_unreadable', access.file)]
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

async function findReleaseProblems({
  dataDir,
  releases: place,
}: GateConfig): Promise<readonly MessageOrText[]> {
  if (place !== null) return findStoreProblems(openReleaseStore(place))
  const { releases: releasesDir } = dataFolderAt(dataDir)
  const options = { releasesDir, elapsed: () => performance.now(), onProblem: () => {} }
  const status = (await followCurrent(options)).status()
  if (status.state === 'ready')
    return status.refused === null ? [] : [problemOf('newest_release_refused', status.refused)]
  return [status.state === 'none' ? problemOf('no_release') : problemOf('broken_release', status.reason)]
}

async function findStoreProblems(store: ReleaseStore): Promise<readonly MessageOrText[]> {
  try {
    const { id } = await store.readPointer()
    const isKept = (await store.list()).some((kept) => kept.id === id)
    return isKept ? [] : [problemOf('no_release_in', store.place)]
  } catch (error) {
    if (error instanceof ReleaseError) return error.problems
    throw error
  }
}

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { findTlsProblem } from '@sekisho/contract/connection-failure'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, LANGUAGES, type Language, type Message } from '@sekisho/contract/language'
import { LOGIN_KINDS } from '@sekisho/contract/login-document'
import { fetchRelease, openReleaseStore, type ReleaseStore } from '@sekisho/release'
import {
  createProgress,
  createReference,
  createWireClient,
  findLoginPage,
  formatEditionReport,
  formatReport,
  isProven,
  jsonReport,
  type LoginControl,
  type OpenedRelease,
  openOthers,
  openRelease,
  type Reader,
  readLoginFiles,
  UnreachableError,
  verifyEdition,
  verifyGate,
} from '@sekisho/verify'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  readDataFolder,
  type ValuesOf,
} from '../../command.ts'
import { languageOf, sayWithCode } from '../../language.ts'
import { openPublishedPreviews, readPlace } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { type GateAddress, startOwnGate } from './own-gate.ts'

const messageOf = createMessages(TEXTS, 'verify')

const HELP: Message = messageOf('verify_help', dataDirHelp(18))

const OPTIONS = {
  url: { type: 'string' },
  host: { type: 'string' },
  ca: { type: 'string' },
  reader: { type: 'string', multiple: true },
  agent: { type: 'string', multiple: true },
  'sign-out': { type: 'boolean' },
  preview: { type: 'string' },
  as: { type: 'string' },
  release: { type: 'string' },
  ...DATA_DIR,
  public: { type: 'string', multiple: true },
  quick: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** Runs `sekisho verify`. */
export const runVerify = defineCommand({ name: 'verify', help: HELP, options: OPTIONS }, async (read, io) => {
  try {
    return await verify(read.values, io)
  } catch (error) {
    const known = error instanceof UnreachableError ? unreachable(error) : error
    if (!(known instanceof ExplainedError)) throw error
    io.complain(`sekisho verify: ${known.in(languageOf(io.env), sayWithCode)}`)
    return 2
  }
})

/** The operator's mistakes, as opposed to an open gate. */
class VerifyError extends ExplainedError {
  override readonly name = 'VerifyError'
  readonly code = 'verify_impossible'
}

type Values = ValuesOf<typeof OPTIONS>

async function verify(values: Values, io: CommandIo): Promise<number> {
  await using cleanup = new AsyncDisposableStack()
  const { releasesDir, release } = await chooseRelease(values, io, cleanup)
  if (values.as !== undefined) return await verifyAs(values.as, { values, io, cleanup, releasesDir, release })
  if (values.agent !== undefined) throw new VerifyError(messageOf('agent_without_as'))
  const loginLanguage = readLoginLanguage(values, io)
  const gate =
    values.url === undefined
      ? cleanup.use(await startOwnGate(releasesDir, release, { loginLanguage: loginLanguage ?? 'ja' }))
      : { ...readAddress(values), reader: await readReader(values, io) }
  const client = await connect(gate, values, io)
  const login = readLoginFiles()
  const loginPage = await findLoginPage(client, login)
  const reference = createReference({
    login,
    site: siteOf(loginPage, release, io),
    host: gate.host,
    phrases: [...(values.public ?? []), ...publicSettings(io)],
    localIdentity: await readLocalIdentity(),
  })

  const startedMs = io.clock()
  const elapsed = () => io.clock() - startedMs
  const progress = createProgress(process.stderr, elapsed, languageOf(io.env))
  const report = await verifyGate({
    client,
    host: gate.host,
    release,
    reference,
    reader: gate.reader,
    behindProxy: values.url !== undefined,
    loginLanguage,
    effort: values.quick === true ? 'quick' : 'full',
    onProgress: progress.show,
  })
  progress.clear()
  const facts = { releaseId: release.id, url: gate.url.origin, seconds: elapsed() / 1_000, loginPage }
  io.print(values.json === true ? jsonReport(report, facts) : formatReport(report, facts, languageOf(io.env)))
  if (report.findings.length > 0) return 1
  return isProven(report, facts) ? 0 : 2
}

/**
 * Title and tagline that the gate may show: its own settings (`SEKISHO_TITLE`), not those of the release. The title of a page is
 * not taken for one, so that a gate cannot clear a leak by its login page.
 */
function siteOf(loginPage: LoginControl | null, { site, files }: OpenedRelease, { env }: CommandIo) {
  const shown = loginPage?.site ?? site
  const known = [site.title, site.tagline, env.SEKISHO_TITLE?.trim(), env.SEKISHO_TAGLINE?.trim()]
  const titles = new Set(
    [...files.values()].flatMap(({ title = '' }) => [title, title.split(' | ')[0] ?? title]),
  )
  const isPage = (text: string) => titles.has(text) && !known.includes(text)
  return isPage(shown.title) || isPage(shown.tagline) ? site : shown
}

interface VerifyAs {
  readonly values: Values
  readonly io: CommandIo
  readonly cleanup: AsyncDisposableStack
  readonly releasesDir: string
  readonly release: OpenedRelease
}

async function connect({ url, host }: Pick<GateAddress, 'url' | 'host'>, values: Values, io: CommandIo) {
  const ca = values.ca === undefined ? null : await readTextFile('--ca', resolve(io.cwd, values.ca))
  return createWireClient(url, { host, ...(ca !== null && { ca }) })
}

/** Verifies one edition's readers: at a new gate with a reader of each, or at a running one with the given cookies and agents' tokens. */
async function verifyAs(
  name: string,
  { values, io, cleanup, releasesDir, release }: VerifyAs,
): Promise<number> {
  const edition = release.editions.find((one) => one.name === name)
  const names = release.editions.map((one) => one.name)
  if (edition === undefined) throw new VerifyError(messageOf('no_edition', name, names))
  const gate =
    values.url === undefined
      ? cleanup.use(await startOwnGate(releasesDir, release))
      : { ...readAddress(values), ...(await readReaders(names, values, io)) }
  const startedMs = io.clock()
  const report = await verifyEdition({
    client: await connect(gate, values, io),
    host: gate.host,
    origin: `${gate.url.protocol}//${gate.host}`,
    behindProxy: values.url !== undefined,
    edition,
    others: release.editions.filter((one) => one !== edition),
    earlier: await openOthers(releasesDir, release.id),
    cookies: gate.readers,
    ...(gate.agents !== null && { tokens: gate.agents }),
    effort: values.quick === true ? 'quick' : 'full',
  })
  const facts = { releaseId: release.id, url: gate.url.origin, seconds: (io.clock() - startedMs) / 1_000 }
  io.print(
    values.json === true ? jsonReport(report, facts) : formatEditionReport(report, facts, languageOf(io.env)),
  )
  return report.findings.length === 0 ? 0 : 1
}

async function chooseRelease(
  values: Values,
  io: CommandIo,
  cleanup: AsyncDisposableStack,
): Promise<{ releasesDir: string; release: OpenedRelease }> {
  const folder = values.release === undefined ? null : resolve(io.cwd, values.release)
  const isFolder = folder !== null && (await stat(join(folder, 'manifest.json')).catch(() => null)) !== null
  const store = isFolder ? null : chooseStore(values, io)
  const fetched = store === null ? null : await fetchChosen(store, values.release ?? null, cleanup)
  const kept = isFolder ? dirname(folder) : readDataFolder(values['data-dir'], io).releases
  const releasesDir = fetched?.releasesDir ?? kept
  const id = isFolder ? basename(folder) : (fetched?.id ?? values.release ?? null)
  const release = await openRelease(releasesDir, id)
  if (release !== null) return { releasesDir, release }
  throw new VerifyError(messageOf('no_release', releasesDir))
}

/** Store of the release; null for the data folder's own. */
function chooseStore({ preview, url, 'data-dir': dataDir }: Values, io: CommandIo): ReleaseStore | null {
  const place = readPlace(io)
  if (preview === undefined) return place === null ? null : openReleaseStore(place)
  if (url === undefined) throw new VerifyError(messageOf('preview_needs_url'))
  return openPublishedPreviews(readDataFolder(dataDir, io), io).open(preview)
}

/** Fetches a release from where it was published, into a folder that lives as long as the run. */
async function fetchChosen(store: ReleaseStore, wanted: string | null, cleanup: AsyncDisposableStack) {
  const id = wanted ?? (await store.readPointer()).id
  if (id === null) return null
  const releasesDir = await mkdtemp(join(tmpdir(), 'sekisho-verify-'))
  cleanup.defer(() => rm(releasesDir, { recursive: true, force: true }))
  await fetchRelease(id, { store, releasesDir })
  return { releasesDir, id }
}

function readAddress({ url: text, host }: Values): Omit<GateAddress, 'reader'> {
  const url = URL.parse(text ?? '')
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new VerifyError(messageOf('url_is_origin'))
  }
  return { url, host: host ?? url.host }
}

async function readReader(values: Values, io: CommandIo): Promise<Reader | null> {
  const { reader: [reader, ...more] = [], 'sign-out': signsOut = false } = values
  if (reader === undefined && signsOut) throw new VerifyError(messageOf('sign_out_needs_reader'))
  if (more.length > 0) throw new VerifyError(messageOf('one_reader'))
  if (reader === undefined) return null
  const cookie = (await readTextFile('--reader', resolve(io.cwd, reader))).trim()
  return signsOut ? { cookie, ends: { one: cookie, together: [] } } : { cookie }
}

/** A reader of each edition, by its name, and an agent of each where one is named: then `/mcp` is asked, too. */
async function readReaders(
  names: readonly string[],
  { reader = [], agent, 'sign-out': signsOut = false }: Values,
  io: CommandIo,
) {
  if (signsOut) throw new VerifyError(messageOf('as_excludes_sign_out'))
  const readers = await readOfEach('--reader', names, reader, io)
  if (agent === undefined) return { readers, agents: null }
  const tokens = await readOfEach('--agent', names, agent, io)
  return { readers, agents: new Map([...tokens].map(([name, token]) => [name, `Bearer ${token}`])) }
}

/** Content of a file for each edition, by its name: `EDITION=FILE`, once for each. */
async function readOfEach(
  option: '--reader' | '--agent',
  names: readonly string[],
  pairs: readonly string[],
  io: CommandIo,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const pair of pairs) {
    const [, name = '', file = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    if (!names.includes(name))
      throw new VerifyError(messageOf('edition_and_file', `${option} ${pair}`, names))
    texts.set(name, (await readTextFile(option, resolve(io.cwd, file))).trim())
  }
  const missing = names.filter((name) => !texts.has(name))
  if (missing.length === 0) return texts
  const said = missing.map((name) => `${option} ${name}=FILE`).join(' ')
  throw new VerifyError(messageOf('edition_readers_missing', said))
}

function readTextFile(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch(({ message }: Error) => {
    throw new VerifyError(messageOf('option_unread', option, message))
  })
}

/** The login page's settings, which are public, so a page of the portal may name them. */
function publicSettings({ env }: CommandIo): string[] {
  const ofKinds = Object.values(LOGIN_KINDS).flatMap(({ publicSettings }) => publicSettings)
  const shown = ['SEKISHO_TITLE', 'SEKISHO_TAGLINE', ...ofKinds]
  return shown.map((name) => env[name]?.trim() ?? '').filter((value) => value !== '')
}

/** Language of `SEKISHO_LOGIN_LANG`; by default Japanese for our own gate, unknown for another. */
function readLoginLanguage({ url }: Values, { env }: CommandIo): Language | null {
  const text = env.SEKISHO_LOGIN_LANG?.trim() ?? ''
  const language = LANGUAGES.find((known) => known === text) ?? null
  if (text !== '' && language === null) throw new VerifyError(messageOf('login_language', LANGUAGES))
  return language ?? (url === undefined ? 'ja' : null)
}

/** A gate in local mode has the identity service on its own port; a production install does not contain it. */
async function readLocalIdentity() {
  try {
    const { readOpenSurface } = await import('@sekisho/server/local-identity/open-surface')
    return await readOpenSurface()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    return { paths: [], texts: [] }
  }
}

const unreachable = (error: UnreachableError): VerifyError =>
  new VerifyError(messageOf('unreachable', findTlsProblem(error) ?? error.message), { cause: error })

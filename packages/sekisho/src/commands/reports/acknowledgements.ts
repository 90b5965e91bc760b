import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { EVERY_READER } from '@sekisho/contract/page-metadata'
import type { Edition, Manifest } from '@sekisho/release'
import {
  type Acknowledgement,
  type AcknowledgementStore,
  type AskedPage,
  findAskedPage,
  listAskedPages,
  readAllAcknowledgements,
} from '@sekisho/server/acknowledgements'
import { type AuditKey, fingerprintOf } from '@sekisho/server/audit'
import { type AccessPolicy, chooseEdition, groupsOf, readPolicyOnly } from '@sekisho/server/settings'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { dayOf, plain, sayTo } from '../../language.ts'
import { onStores } from '../../open-state.ts'
import { readServedManifest } from '../../release-store.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { TEXTS } from '../../texts/index.ts'
import { csvFile } from '../access/csv.ts'
import { acknowledgementsHtml, type ReportRow } from './acknowledgements-html.ts'
import { printReviewPatch } from './review-patch.ts'
import { exportKey, makeExportFolder, signFile } from './signed-export.ts'

const messageOf = createMessages(TEXTS, 'acknowledgements')

const HELP: Message = messageOf('help', dataDirHelp(16))

const OPTIONS = {
  people: { type: 'string' },
  out: { type: 'string' },
  ...DATA_DIR,
} as const

/** Runs `sekisho acknowledgements list`, `export` and `reviews`. */
export const runAcknowledgements = defineCommand(
  { name: 'acknowledgements', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const { people, out, 'data-dir': dataDir } = read.values
    const [action] = read.positionals
    const isList = (action === 'list' || action === 'reviews') && out === undefined
    if (!isList && !(action === 'export' && out !== undefined)) return misuse(io, HELP)
    const folder = readDataFolder(dataDir, io)
    return onStores(dataDir, io, async (stores, record) => {
      const manifest = await readServedManifest(folder, io)
      if (action === 'reviews') {
        await printReviewPatch(manifest, stores.acknowledgements, io)
        return 0
      }
      const pages = askedPages(manifest.editions.flatMap((edition) => listAskedPages(edition)))
      const asked = askedPeople(manifest, readPeople(people, io))
      if (isList) return list(pages, asked, stores.acknowledgements, io)
      const target = resolve(io.cwd, String(out))
      const rows = await reportRows(pages, asked, stores.acknowledgements, dayOf(io.clock()))
      const csv = writeCsv(rows, io)
      const sha256 = createHash('sha256').update(csv).digest('hex')
      await record('acknowledgements_exported', { release: manifest.id, rows: rows.length, sha256 })
      const key = await exportKey(stores, dataDir, io)
      writeExport(target, csv, acknowledgementsHtml(rows, manifest, io.clock()), key)
      io.print(sayTo(io, messageOf('exported', target, rows.length, fingerprintOf(key.publicKey))))
      return 0
    })
  },
)

/** One who may be asked, by address, with the groups of the policy. */
interface Person {
  readonly email: string
  readonly groups: ReadonlySet<string>
  readonly edition: Edition | null
}

/** Addresses with their groups; null groups are those of the policy. */
type Listed = ReadonlyMap<string, readonly string[] | null>

/** People of a CSV file (`address,group group`), else the addresses that the policy names. */
export function readPeople(
  file: string | undefined,
  io: CommandIo,
): { readonly policy: AccessPolicy; readonly listed: Listed } {
  const policy = readPolicyOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
  if (file === undefined) {
    const named = [policy, ...policy.groups.values()].flatMap(({ emails }) => [...emails])
    return { policy, listed: new Map(named.map((email) => [email, null])) }
  }
  const lines = readFileSync(resolve(io.cwd, file), 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const cells = lines.map((line) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
  const people = cells.filter(([email = '']) => email.includes('@'))
  return {
    policy,
    listed: new Map(
      people.map(([email = '', groups = '']) => [
        email.toLowerCase(),
        groups === '' ? null : groups.split(/[\s;]+/),
      ]),
    ),
  }
}

export function askedPeople(
  { editions }: Manifest,
  { policy, listed }: ReturnType<typeof readPeople>,
): readonly Person[] {
  return [...listed].map(([email, named]) => {
    const reader = { email, vouched: { address: true, groups: [], hasAllGroups: true } }
    const groups = named === null ? groupsOf(policy, reader) : new Set(named)
    return { email, groups, edition: chooseEdition(editions, groups) }
  })
}

/** Editions may hold a page in different texts, each a version of its own. */
const keyOf = ({ path, version }: Pick<AskedPage, 'path' | 'version'>): string =>
  JSON.stringify([path, version])

/** Pages by path and version. */
export const askedPages = (pages: readonly AskedPage[]): ReadonlyMap<string, AskedPage> =>
  new Map(pages.map((page) => [keyOf(page), page]))

const isAskedOf = ({ path, version, request }: AskedPage, { groups, edition }: Person): boolean =>
  edition !== null &&
  findAskedPage(edition, path)?.version === version &&
  (request.audience === EVERY_READER || groups.has(request.audience))

function missingOf(
  page: AskedPage,
  people: readonly Person[],
  done: readonly Acknowledgement[],
): readonly string[] {
  const addresses = new Set(done.map(({ email }) => email.toLowerCase()))
  return people
    .filter((person) => isAskedOf(page, person) && !addresses.has(person.email))
    .map(({ email }) => email)
}

/** `text ` and as much of its hash as tells two apart. */
const VERSION_CHARS = 13

async function list(
  pages: ReadonlyMap<string, AskedPage>,
  people: readonly Person[],
  store: Pick<AcknowledgementStore, 'compare'>,
  io: CommandIo,
): Promise<number> {
  if (pages.size === 0) io.print(sayTo(io, messageOf('none_asked')))
  for (const page of pages.values()) {
    const { path, title, owner, request, version } = page
    const { done, missing } = await store.compare(page, missingOf(page, people, []))
    const isOneOfSeveral = [...pages.values()].some((other) => other !== page && other.path === path)
    io.print(plain(`${path}  ${title}${isOneOfSeveral ? `  (${version.slice(0, VERSION_CHARS)})` : ''}`))
    if (owner !== null) io.print(`  ${plain(sayTo(io, messageOf('owner', owner)))}`)
    const state =
      request.due < dayOf(io.clock()) && missing.length > 0
        ? messageOf('overdue', request.due)
        : messageOf('due', request.due)
    io.print(`  ${sayTo(io, state)}  ${sayTo(io, messageOf('counts', done, missing.length))}`)
    for (const email of missing) io.print(`    ${plain(email)}`)
  }
  if (people.length === 0) complainOf('acknowledgements', messageOf('nobody_named'), io)
  return 0
}

/** @param isIncluded picks records; people whose record is left out have yet to acknowledge */
export async function reportRows(
  pages: ReadonlyMap<string, AskedPage>,
  people: readonly Person[],
  store: Pick<AcknowledgementStore, 'list'>,
  day: string,
  isIncluded: (one: Acknowledgement) => boolean = () => true,
): Promise<readonly ReportRow[]> {
  const done = new Map([...pages.values()].map((page) => [page, [] as Acknowledgement[]]))
  for await (const one of readAllAcknowledgements(store)) {
    const page = pages.get(keyOf(one))
    if (page !== undefined && isIncluded(one)) done.get(page)?.push(one)
  }
  const rows: ReportRow[] = []
  for (const [page, own] of done) {
    for (const one of own) rows.push({ page, email: one.email, state: 'done', done: one })
    const state = page.request.due < day ? 'overdue' : 'open'
    for (const email of missingOf(page, people, own)) rows.push({ page, email, state, done: null })
  }
  return rows
}

export function writeCsv(rows: readonly ReportRow[], io: CommandIo): string {
  const columns = (
    [
      'path',
      'title',
      'owner',
      'version',
      'due',
      'email',
      'state',
      'at',
      'account',
      'content',
      'release',
    ] as const
  ).map((name) => sayTo(io, messageOf(`column_${name}`)))
  const lines = rows.map(({ page, email, state, done }) => [
    page.path,
    page.title,
    page.owner ?? '',
    page.version,
    page.request.due,
    email,
    sayTo(io, messageOf(`state_${state}`)),
    ...(done === null
      ? ['', '', '', '']
      : [new Date(done.atMs).toISOString(), `${done.issuer} ${done.sub}`, done.page, done.release]),
  ])
  return csvFile([columns, ...lines])
}

/** Writes a new folder; each file has an Ed25519 signature beside it, which `openssl` verifies. */
function writeExport(folder: string, csv: string, html: string, key: AuditKey): void {
  makeExportFolder(folder)
  const files = Object.entries({ 'acknowledgements.csv': csv, 'acknowledgements.html': html })
  for (const [name, text] of files) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const verify = files.map(([name]) => signFile(folder, name, key))
  writeFileSync(join(folder, 'VERIFY.md'), `\`\`\`sh\n${verify.join('\n')}\n\`\`\`\n`)
}

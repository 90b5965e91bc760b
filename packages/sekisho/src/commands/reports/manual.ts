import { hash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, type Message } from '@sekisho/contract/language'
import {
  DEFAULT_EDITION,
  type Edition,
  type Manifest,
  type ReleaseFile,
  type ReleaseStore,
  readManifest,
} from '@sekisho/release'
import { findAskedPage } from '@sekisho/server/acknowledgements'
import { type AuditKey, type AuditSource, fingerprintOf } from '@sekisho/server/audit'
import type { Stores } from '@sekisho/server/state'
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
import { onStores, type RecordAct } from '../../open-state.ts'
import { openPublishingStore, readBlob } from '../../release-store.ts'
import { findSiteAround } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import { csvFile } from '../access/csv.ts'
import { readAccess } from '../access/review.ts'
import { readLines } from '../access/trail-facts.ts'
import { BrowserError, findChromium, printPages } from '../check/browser/open-pages.ts'
import { askedPages, askedPeople, readPeople, reportRows, writeCsv } from './acknowledgements.ts'
import { acknowledgementsHtml } from './acknowledgements-html.ts'
import { readPageHistory } from './page-history.ts'
import { type EditionFiles, writeSelfContained } from './self-contained-page.ts'
import { exportKey, makeExportFolder, makeFolderOfZip, signFile, verifyCommand } from './signed-export.ts'
import { writeZip } from './zip-archive.ts'

const messageOf = createMessages(TEXTS, 'manual')

const HELP: Message = messageOf('help', dataDirHelp(16))

const OPTIONS = {
  release: { type: 'string' },
  as: { type: 'string' },
  out: { type: 'string' },
  people: { type: 'string' },
  ...DATA_DIR,
} as const

const MAX_PAGES = 500
/** Longest picture or font that goes into a page. */
const MAX_INLINE_BYTES = 16e6
const SUMS = 'SHA256SUMS'

/** Runs `sekisho export manual`: pages of one edition with the evidence that an audit asks for, signed. */
export const runExport = defineCommand(
  { name: 'export', help: HELP, options: OPTIONS, maxPositionals: 1 + MAX_PAGES },
  async (read, io) => {
    const { release, as, out, people, 'data-dir': dataDir } = read.values
    const [action, ...paths] = read.positionals
    if (action !== 'manual' || paths.length === 0 || !release || !as || !out) return misuse(io, HELP)
    return onStores(dataDir, io, async (stores, record) => {
      const { store } = openPublishingStore(readDataFolder(dataDir, io), io)
      const manifest = readManifest(await store.readManifest(release), release)
      const pages = findPages(manifest, as, paths)
      const target = resolve(io.cwd, out)
      const isZip = extname(target).toLowerCase() === '.zip'
      const folder = isZip ? makeFolderOfZip(target) : target
      if (!isZip) makeExportFolder(folder)
      let isKept = false
      try {
        const files = await describePages(pages, manifest, store, io)
        for (const [name, text] of await describeReaders(pages, { manifest, people, stores }, io))
          files.set(name, text)
        files.set('MAPPING.md', sayTo(io, messageOf('mapping')))
        files.set('VERIFY.md', sayTo(io, messageOf('verify', verifyCommand(SUMS))))
        const key = await finish(folder, files, { pages, release, dataDir, stores, record }, io)
        if (isZip && !writeZip(target, folder, basename(target).slice(0, -'.zip'.length)))
          throw new ExplainedError(messageOf('too_large_for_zip'))
        io.print(sayTo(io, messageOf('exported', target, pages.files.size, fingerprintOf(key.publicKey))))
        isKept = !isZip
      } finally {
        if (!isKept) rmSync(folder, { recursive: true })
      }
      return 0
    })
  },
)

/** Pages to export, all of one edition. */
interface Pages {
  readonly edition: Edition
  readonly files: ReadonlyMap<string, ReleaseFile>
}

/** Finds pages in one edition alone. Throws {@link ExplainedError} for a path that the edition does not hold, in whatever other edition it is. */
function findPages({ id, editions }: Manifest, name: string, paths: readonly string[]): Pages {
  const edition = editions.find((one) => one.name === name)
  if (edition === undefined) throw new ExplainedError(messageOf('edition_not_found', id, name))
  const files = paths.map((given) => {
    const path = edition.files.has(given) ? given : equivalentPath(`https://portal.invalid${given}`)
    const file = path === null ? undefined : edition.files.get(path)
    if (path === null || file?.delivery !== 'page')
      throw new ExplainedError(messageOf('page_not_found', name, given))
    return [path, file] as const
  })
  return { edition, files: new Map(files) }
}

/** Tells if a line or record is of this edition: it names the release followed by the edition. */
function isOfEdition(release: unknown, { name }: Edition): boolean {
  const [, edition] = /^\d{8}T\d{6}Z-[0-9a-f]{8}(?:-(.+))?$/s.exec(String(release)) ?? [null, null]
  return edition !== null && (edition ?? DEFAULT_EDITION) === name
}

/** Contents of a package by name. */
type Files = Map<string, string | Buffer>

/** The pages, as they were served and as one file each, their list and the commits of their sources. */
async function describePages(
  { edition, files }: Pages,
  manifest: Manifest,
  store: ReleaseStore,
  io: CommandIo,
): Promise<Files> {
  const out: Files = new Map()
  const site = findSiteAround(io.cwd)?.dir ?? null
  const names = new Map([...files.keys()].map((path, at) => [path, String(at + 1).padStart(3, '0')]))
  const access: EditionFiles = {
    async read(path) {
      const file = edition.files.get(path)
      if (file === undefined || file.bytes > MAX_INLINE_BYTES) {
        complainOf('export', messageOf('file_left_out', plain(path)), io)
        return null
      }
      return { type: file.type, bytes: await readBlob(file, manifest.id, store) }
    },
    linkTo: (path) => (names.has(path) ? `${names.get(path)}.html` : null),
  }
  const columns = [
    'file',
    'path',
    'title',
    'owner',
    'revision',
    'reviewed',
    'sha256',
    'release',
    'edition',
  ] as const
  const list = [columns.map((name) => sayTo(io, messageOf(`column_${name}`)))]
  const commitColumns = ['path', 'commit', 'at', 'author', 'committer', 'approvers'] as const
  const commits = [commitColumns.map((name) => sayTo(io, messageOf(`column_${name}`)))]
  for (const [path, file] of files) {
    const name = `${names.get(path)}`
    const { title = path, page = {}, sha256 } = file
    const html = await readBlob(file, manifest.id, store)
    const note = `${encodePath(path)} ・ ${manifest.id} ・ ${edition.name} ・ SHA-256 ${sha256}`
    out.set(`served/${name}.html.txt`, html)
    out.set(`pages/${name}.html`, await writeSelfContained({ html: html.toString(), path, note }, access))
    const { owner = '', revision = '', reviewed = '' } = page
    list.push([name, path, title, owner, revision, reviewed, sha256, manifest.id, edition.name])
    for (const { commit, at, author, committer, approvers } of readPageHistory(path, site, manifest.source))
      commits.push([path, commit, at, author, committer, approvers])
  }
  out.set('pages.csv', csvFile(list))
  out.set('commits.csv', csvFile(commits))
  return out
}

interface Sources {
  readonly manifest: Manifest
  /** File of people to ask. */
  readonly people: string | undefined
  readonly stores: Stores
}

/** Acknowledgements of the pages, accounts with access, and lines of the trail about both; of this edition alone. */
async function describeReaders(
  { edition, files }: Pages,
  { manifest, people, stores }: Sources,
  io: CommandIo,
): Promise<Files> {
  const asked = askedPages([...files.keys()].flatMap((path) => findAskedPage(edition, path) ?? []))
  const persons = askedPeople(manifest, readPeople(people, io)).filter((one) => one.edition === edition)
  const isIncluded = (one: { readonly release: string }) => isOfEdition(one.release, edition)
  const rows = await reportRows(asked, persons, stores.acknowledgements, dayOf(io.clock()), isIncluded)
  const access = await readAccess(stores.audit, io.clock(), manifest.editions, io)
  const warnings = 'problem' in access ? [access.problem] : access.warnings
  for (const warning of warnings) complainOf('export', warning, io)
  return new Map([
    ['acknowledgements.csv', writeCsv(rows, io)],
    ['acknowledgements.html', acknowledgementsHtml(rows, manifest, io.clock())],
    [
      'access.csv',
      'problem' in access ? csvFile([[sayTo(io, access.problem)]]) : accessOf(access.rows, edition),
    ],
    ['audit.jsonl', await linesAbout(files, manifest.id, edition, stores.audit)],
  ])
}

/** Columns of an access review: its rule and groups, which may name other editions, and the edition. */
const [RULE, GROUPS, EDITION] = [6, 7, 8]

const accessOf = ([columns, ...rows]: readonly (readonly string[])[], { name }: Edition): string =>
  csvFile(
    [columns ?? [], ...rows.filter((row) => row[EDITION] === name)].map((row) =>
      row.filter((_, at) => at !== RULE && at !== GROUPS),
    ),
  )

/** Lines of the trail about these pages in this edition, and about the publication of the release, as they stand there. */
async function linesAbout(
  files: Pages['files'],
  id: string,
  edition: Edition,
  source: AuditSource,
): Promise<string> {
  const found: { readonly atMs: number; readonly text: string }[] = []
  for (const chain of await source.listChains())
    for await (const read of readLines(source, chain)) {
      if (read === null) continue
      const { event, act, path, pages, release } = read.line
      const isPublication = release === id && (event === 'release_published' || act === 'release_published')
      const named = [path, ...(Array.isArray(pages) ? pages : [])]
      const isAbout = isOfEdition(release, edition) && named.some((one) => files.has(String(one)))
      if (isPublication || isAbout) found.push(read)
    }
  found.sort((one, other) => one.atMs - other.atMs)
  return found.map(({ text }) => `${text}\n`).join('')
}

interface Target {
  readonly pages: Pages
  readonly release: string
  readonly dataDir: string | undefined
  readonly stores: Stores
  readonly record: RecordAct
}

/** Writes the files, prints pages where there is a browser, and signs the list of their hashes once the trail has its hash. Returns the key. */
async function finish(folder: string, files: Files, target: Target, io: CommandIo): Promise<AuditKey> {
  const { pages, release, stores, dataDir, record } = target
  for (const name of ['pages', 'served']) mkdirSync(join(folder, name), { mode: 0o700 })
  const key = await exportKey(stores, dataDir, io)
  files.set('public-key.pem', String(key.publicKey.export({ type: 'spki', format: 'pem' })))
  for (const [name, contents] of files) writeFileSync(join(folder, name), contents, { mode: 0o600 })
  for (const [name, pdf] of await printed(folder, files, io)) {
    writeFileSync(join(folder, name), pdf, { mode: 0o600 })
    files.set(name, pdf)
  }
  const sums = [...files].map(([name, contents]) => `${hash('sha256', contents)}  ${name}\n`).join('')
  writeFileSync(join(folder, SUMS), sums, { mode: 0o600 })
  const sha256 = hash('sha256', sums)
  await record('manual_exported', { release, edition: pages.edition.name, pages: pages.files.size, sha256 })
  signFile(folder, SUMS, key)
  return key
}

/** The pages of a package as PDF; without a usable browser, says so and leaves them out. */
async function printed(folder: string, files: Files, io: CommandIo): Promise<Files> {
  const names = [...files.keys()].filter((name) => /^pages\/.*\.html$/.test(name))
  const chromium = findChromium(io.env)
  try {
    if (chromium === null) throw new BrowserError('Chromium')
    const paths = names.map((name) => join(folder, name))
    const pdfs = await printPages(chromium, paths)
    return new Map(pdfs.map((pdf, at) => [`${names[at]}`.replace(/html$/, 'pdf'), pdf]))
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error
    complainOf('export', messageOf('no_pdf', plain(error.message)), io)
    return new Map()
  }
}

import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { BASE_URL } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { EMBEDDINGS_KEY_VARIABLE, readVocabularyFile } from '@sekisho/search/indexer'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { openPublication, packAndPublish } from '../build/build.ts'
import { lockBuild } from '../build/build-lock.ts'
import { EDITIONS_FILE, readEditions } from '../editions/read-editions.ts'
import { shareIndexes } from '../editions/share-indexes.ts'
import { describeFolder, type SiteNames } from './describe-folder.ts'
import { divideFolder } from './divide-folder.ts'
import { type PreparedFolder, prepareFolder } from './prepare-folder.ts'
import { asksSearchService, BAR, linksNameEndings, readPages } from './read-folder.ts'

const messageOf = createMessages(TEXTS, 'site')

const HELP: Message = messageOf('pack_help', dataDirHelp(16))

const NO_FOLDER: Message = messageOf('no_folder')
const WRONG_BASE: Message = messageOf('wrong_base')

const OPTIONS = {
  title: { type: 'string' },
  lang: { type: 'string' },
  base: { type: 'string' },
  bar: { type: 'boolean', default: false },
  ...DATA_DIR,
} as const

/** Script added to every page of a folder: it tells readers when their session has ended. */
const WITH_BAR = `<script src="${BAR}" defer></script>`
const WITHOUT_BAR = `<script src="${BAR}" data-buttons="none" defer></script>`

const NO_BAR: Message = messageOf('no_bar')
const DEAD_SEARCH: Message = messageOf('dead_search')

/** Tells which search readers have: a search that fails without a word is taken for a page that is not there. */
async function sayOfSearch(
  dir: string,
  { languages, hasBar, excluded }: PreparedFolder,
  io: CommandIo,
): Promise<void> {
  if (excluded > 0) io.print(sayTo(io, messageOf('excluded', excluded)))
  if (languages.length > 0) io.print(sayTo(io, messageOf('separate_search_indexes', languages)))
  if (await asksSearchService(dir)) io.print(sayTo(io, DEAD_SEARCH))
  if (!hasBar) io.print(sayTo(io, NO_BAR))
}

/** Names of the whole folder, so that its editions share title, language and form of addresses. */
async function namesOfWhole(dir: string, names: SiteNames): Promise<SiteNames> {
  const pages = await readPages(dir)
  const site = describeFolder(dir, pages, names).get('')
  return { ...names, title: site?.title, lang: site?.lang, hasEnding: linksNameEndings(pages, names.baseUrl) }
}

/** Runs `sekisho pack`. */
export const runPack = defineCommand(
  { name: 'pack', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const { title, lang, base: baseUrl = '/', bar: withBar, 'data-dir': dataDir } = read.values
    const [named] = read.positionals
    if (named === undefined || !BASE_URL.test(baseUrl))
      return misuse(io, HELP, named === undefined ? NO_FOLDER : WRONG_BASE)
    const dir = resolve(io.cwd, named)
    const folder = readDataFolder(dataDir, io)
    if (!(await stat(dir).catch(() => null))?.isDirectory())
      throw new ReleaseError('build_invalid', [messageOf('not_a_folder', dir)])
    await using _lock = await lockBuild(folder.root)
    const cacheDir = join(folder.root, 'cache')
    const editions = await readEditions(io.cwd)
    const stageDir = join(cacheDir, 'static-editions')
    const divided = editions === null ? null : await divideFolder(dir, { editions, stageDir, baseUrl })
    const builds = divided?.builds ?? null
    const vocabulary = await readVocabularyFile(io.cwd)
    const embeddingsKey = io.env[EMBEDDINGS_KEY_VARIABLE]
    const names =
      builds === null ? { title, lang, baseUrl } : await namesOfWhole(dir, { title, lang, baseUrl })
    const prepare = (part: string, cache: string) =>
      prepareFolder(part, names, { cacheDir: join(cacheDir, cache), vocabulary, embeddingsKey })
    const prepared: PreparedFolder[] = []
    if (builds === null) prepared.push(await prepare(dir, 'static-search'))
    for (const { name, buildDir } of builds ?? [])
      prepared.push(await prepare(buildDir, `static-search-${name}`))
    const made = builds === null ? { buildDir: dir } : { editions: await shareIndexes(builds) }
    const making = { makeBuild: async () => made, pageScript: withBar ? WITH_BAR : WITHOUT_BAR }
    const code = await packAndPublish(openPublication(folder, io), making, io)
    const missing = prepared.find((one) => one.notEmbedded !== null)?.notEmbedded
    if (missing) complainOf('pack', messageOf('not_embedded', missing.pages, missing.problem), io)
    const [first] = prepared
    if (code === 0 && first?.isNamed === false) io.print(sayTo(io, messageOf('no_title')))
    if (code === 0 && first !== undefined)
      await sayOfSearch(dir, { ...first, hasBar: withBar || first.hasBar }, io)
    const unnamed = divided?.unnamed ?? []
    if (unnamed.length > 0) io.print(sayTo(io, messageOf('unnamed_files', unnamed, EDITIONS_FILE)))
    return code
  },
)

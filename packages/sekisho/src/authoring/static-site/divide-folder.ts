import { constants, copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, matchesGlob } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { SIDECAR } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { decodePage, type EditionBuild, isPageFile, listBuild } from '@sekisho/release/packing'
import { attribute } from '@sekisho/search/html'
import { AUDIENCE_KEY, isLikeAudience } from '../editions/audience-mistakes.ts'
import {
  EDITIONS_FILE,
  globsOf,
  holdsAudience,
  knownAudiences,
  labelsIn,
  problemOf,
  type SiteEdition,
  type SiteEditions,
} from '../editions/read-editions.ts'
import { findUnusedGlobs } from '../editions/site-files.ts'
import { SITE_JSON } from './describe-folder.ts'
import { allElements, createReferenceFinder, namesFiles, scriptsIn } from './folder-references.ts'
import { createListReader, MAX_BYTES, mayListPages, unpackText } from './listed-pages.ts'
import { isDescribedByHand } from './prepare-folder.ts'
import { findRepeated, piecesOf } from './repeated-pages.ts'

/** One file of the folder: its audience, and the files of the folder that it names. */
interface FolderFile {
  readonly name: string
  readonly file: string
  readonly audience: string | null
  readonly isPage: boolean
  /** A rule gives it to every edition. */
  readonly isShared: boolean
  readonly names: readonly string[]
  /** Pages that a search index, feed or script within a page lists, and those whose text a page repeats. */
  readonly lists: readonly string[]
  /** It may list any page. */
  readonly isUnread: boolean
}

/** The editions of a folder, and the files that no page references. */
interface DividedFolder {
  readonly builds: readonly EditionBuild[]
  /** Held by the edition that contains everything alone, or by none where there is no such edition. */
  readonly unnamed: readonly string[]
}

/**
 * Copies each edition of a folder of HTML into its own folder, by the globs of `sekisho.editions.json`: pages of its audiences, and the
 * other files that these name. Rejects with `ReleaseError` for a folder that cannot be divided.
 */
export async function divideFolder(
  dir: string,
  {
    editions,
    stageDir,
    baseUrl,
  }: { readonly editions: SiteEditions; readonly stageDir: string; readonly baseUrl: string },
): Promise<DividedFolder> {
  const obstacles = await findObstacles(dir)
  if (obstacles.length > 0) throw new ReleaseError('site_invalid', obstacles)
  const files = await readFiles(dir, editions, baseUrl)
  const named = reachedFrom(files, () => true)
  const builds: EditionBuild[] = []
  const outside = editions.editions.flatMap((edition) => findOutside(files, edition, named, editions))
  if (outside.length > 0) throw new ReleaseError('site_invalid', outside)
  await rm(stageDir, { recursive: true, force: true })
  for (const { name, audiences } of editions.editions) {
    const held = heldFiles(files, { name, audiences }, named, editions)
    for (const { name: path, file } of held) {
      const copy = join(stageDir, name, path)
      await mkdir(dirname(copy), { recursive: true })
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
    }
    const labels = labelsIn(editions, { name, audiences })
    builds.push({ name, audiences, ...labels, buildDir: join(stageDir, name) })
  }
  const unnamed = files.filter((file) => isUnnamed(file, named)).map(({ name }) => name)
  return { builds, unnamed }
}

async function readFiles(
  dir: string,
  editions: SiteEditions,
  baseUrl: string,
): Promise<readonly FolderFile[]> {
  const listed = (await listBuild(dir)).files.filter(({ name }) => !name.startsWith(`${SIDECAR}/`))
  const names = listed.map(({ name }) => name)
  const problems = findProblems(names, editions)
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  const findReferences = createReferenceFinder(names, baseUrl)
  const findListed = createListReader(names.filter(isPageFile))
  const inScripts = new Map<string, readonly string[]>() // generators put the same script into every page
  const listedInScripts = (html: string): readonly string[] => {
    const scripts = scriptsIn(html)
    const pages = inScripts.get(scripts) ?? findListed(scripts)
    inScripts.set(scripts, pages)
    return pages
  }
  const said: Message[] = []
  const pieces = new Map<string, ReadonlySet<string>>()
  const texts = new Map<string, string>()
  const files: FolderFile[] = []
  for (const { name, file } of listed) {
    const isPage = isPageFile(name)
    const isLong = !isPage && (await stat(file)).size > MAX_BYTES
    const unpacked =
      !isPage && !mayListPages(name)
        ? ''
        : isLong
          ? null
          : isPage
            ? (decodePage(name, await readFile(file))?.text ?? '')
            : unpackText(name, await readFile(file))
    const text = unpacked ?? ''
    const found = isPage ? readMeta(name, text, editions) : { audiences: [], problems: [] }
    said.push(...found.problems)
    if (isPage) pieces.set(name, piecesOf(text))
    else if (!text.includes('\0')) texts.set(name, text)
    const audiences = [
      ...globsOf(editions, name).map((glob) => editions.paths.get(glob) ?? null),
      ...found.audiences,
    ]
    if (audiences.length > 1) said.push(problemOf('audience_repeated', name, audiences.map(String)))
    files.push({
      name,
      file,
      isPage,
      audience: audiences[0] ?? null,
      isShared: editions.shared.some((shared) => matchesGlob(name, shared)),
      names: namesFiles(name) ? findReferences(name, text) : [],
      lists: isPage ? listedInScripts(text) : findListed(text),
      isUnread: unpacked === null,
    })
  }
  if (said.length > 0) throw new ReleaseError('site_invalid', said)
  const restricted = files.filter(({ isPage, audience }) => isPage && audience !== null)
  const repeated = findRepeated(pieces, new Set(restricted.map(({ name }) => name)), texts)
  return files.map((file) => ({
    ...file,
    lists: file.isUnread
      ? restricted.map(({ name }) => name)
      : [...file.lists, ...(repeated.get(file.name) ?? [])],
  }))
}

/** Audience of a page, `<meta name="audience" content="NAME">`, with likely misspellings. */
function readMeta(name: string, html: string, editions: SiteEditions) {
  const known = knownAudiences(editions)
  const audiences: string[] = []
  const problems: Message[] = []
  for (const element of allElements(html)) {
    const place = `${name}:${element.sourceCodeLocation?.startLine ?? 1}`
    const slip = element.attrs.find((one) => isLikeAudience(one.name) && known.has(one.value.trim()))
    if (slip !== undefined) problems.push(problemOf('like_audience_meta', place, slip.name))
    if (element.tagName !== 'meta') continue
    const content = attribute(element, 'content') ?? ''
    for (const { name: key, value } of element.attrs) {
      if (key === 'content' || (key !== AUDIENCE_KEY && !isLikeAudience(value))) continue
      if (key !== 'name' || value !== AUDIENCE_KEY)
        problems.push(problemOf('like_audience_meta', place, value))
      else if (!known.has(content))
        problems.push(problemOf('unknown_in_page', place, JSON.stringify(content), [...known]))
      else audiences.push(content)
    }
  }
  return { audiences, problems }
}

function findProblems(names: readonly string[], editions: SiteEditions): readonly Message[] {
  const twice = names
    .map((name) => ({ name, globs: globsOf(editions, name) }))
    .filter(({ globs }) => globs.length > 1)
    .map(({ name, globs }) => problemOf('in_file', EDITIONS_FILE, problemOf('two_globs', name, globs)))
  return [...twice, ...findUnusedGlobs(names, editions)]
}

/** Names of the files that pages lead to, by themselves or through style sheets, scripts and other files. */
function reachedFrom(
  files: readonly FolderFile[],
  isOwn: (file: FolderFile) => boolean,
): ReadonlySet<string> {
  const byName = new Map(files.map((file) => [file.name, file]))
  const reached = new Set<string>()
  const waiting = files.filter((file) => file.isPage && isOwn(file)).flatMap(({ names }) => names)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const file = byName.get(name)
    if (file === undefined || file.isPage || reached.has(name)) continue
    reached.add(name)
    waiting.push(...file.names)
  }
  return reached
}

const isUnnamed = ({ name, isPage, isShared, audience }: FolderFile, named: ReadonlySet<string>): boolean =>
  !isPage && !isShared && audience === null && !named.has(name)

function heldFiles(
  files: readonly FolderFile[],
  edition: SiteEdition,
  named: ReadonlySet<string>,
  editions: SiteEditions,
): readonly FolderFile[] {
  const isOwn = ({ audience }: FolderFile) => holdsAudience(edition, audience)
  const here = reachedFrom(files, isOwn)
  const isWhole = [...knownAudiences(editions)].every((audience) => edition.audiences.includes(audience))
  return files.filter((file) => {
    if (!isOwn(file)) return false
    if (file.isPage || file.isShared || here.has(file.name)) return true
    return !named.has(file.name) && (file.audience !== null || isWhole)
  })
}

/** Files of an edition that name what it lacks: their own text would say of it. A file that a rule gives to all is an operator's decision. */
function findOutside(
  files: readonly FolderFile[],
  edition: SiteEdition,
  named: ReadonlySet<string>,
  editions: SiteEditions,
): readonly Message[] {
  const held = heldFiles(files, edition, named, editions)
  const here = new Set(held.map(({ name }) => name))
  const audiences = new Map(files.map(({ name, audience }) => [name, audience]))
  return held.flatMap(({ name, isShared, names, lists, isUnread }) => {
    const lacking = isShared ? undefined : [...names, ...lists].find((one) => !here.has(one))
    const audience = lacking === undefined ? null : (audiences.get(lacking) ?? null)
    if (lacking === undefined || audience === null) return []
    return [
      isUnread
        ? problemOf('unread_file', name, audience, edition.name)
        : problemOf('names_narrower', name, lacking, [audience], edition.name),
    ]
  })
}

/** Files that a divided folder must not contain. */
async function findObstacles(dir: string): Promise<readonly Message[]> {
  const { files } = await listBuild(dir)
  return [
    ...((await isDescribedByHand(dir)) ? [problemOf('described_by_hand', SITE_JSON)] : []),
    ...(files.some(({ name }) => name === EDITIONS_FILE)
      ? [problemOf('rules_in_published_folder', EDITIONS_FILE)]
      : []),
  ]
}

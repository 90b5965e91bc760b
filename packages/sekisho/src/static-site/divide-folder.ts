import { constants, copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { SIDECAR } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { type EditionBuild, listBuild } from '@sekisho/release/packing'
import {
  EDITIONS_FILE,
  globsOf,
  holdsAudience,
  problemOf,
  type SiteEditions,
} from '../editions/read-editions.ts'
import { findUnusedGlobs } from '../editions/site-files.ts'
import { SITE_JSON } from './describe-folder.ts'
import { isDescribedByHand } from './prepare-folder.ts'

/** One file of the folder: its audience, and for a page the files of the folder that it names. */
interface FolderFile {
  readonly name: string
  readonly file: string
  readonly audience: string | null
  readonly isPage: boolean
  readonly names: readonly string[]
}

const PAGE = /\.html?$/i
const ADDRESS = /(?:src|href|poster|data)\s*=\s*["']?([^"'\s>]+)/gi

/**
 * Copies the files of each edition of a folder of HTML into a folder of its own, by the globs of `sekisho.editions.json`: pages of its audiences,
 * and of the other files that pages name, those of its own pages. Rejects with `ReleaseError` for a folder that cannot be divided.
 */
export async function divideFolder(
  dir: string,
  {
    editions,
    stageDir,
    baseUrl,
  }: { readonly editions: SiteEditions; readonly stageDir: string; readonly baseUrl: string },
): Promise<readonly EditionBuild[]> {
  const obstacles = await findObstacles(dir)
  if (obstacles.length > 0) throw new ReleaseError('site_invalid', obstacles)
  const files = await readFiles(dir, editions, baseUrl)
  const builds: EditionBuild[] = []
  await rm(stageDir, { recursive: true, force: true })
  for (const { name, audiences } of editions.editions) {
    const held = heldFiles(files, audiences)
    for (const { name: path, file } of held) {
      const copy = join(stageDir, name, path)
      await mkdir(dirname(copy), { recursive: true })
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
    }
    builds.push({ name, audiences, buildDir: join(stageDir, name) })
  }
  return builds
}

async function readFiles(
  dir: string,
  editions: SiteEditions,
  baseUrl: string,
): Promise<readonly FolderFile[]> {
  const listed = (await listBuild(dir)).files.filter(({ name }) => !name.startsWith(`${SIDECAR}/`))
  const problems = findProblems(
    listed.map(({ name }) => name),
    editions,
  )
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  const known = new Set(listed.map(({ name }) => name))
  return Promise.all(
    listed.map(async ({ name, file }) => {
      const isPage = PAGE.test(name)
      const [glob = ''] = globsOf(editions, name)
      const names = isPage
        ? findNames(await readFile(file, 'utf8'), name, baseUrl).filter((one) => known.has(one))
        : []
      return { name, file, audience: editions.paths.get(glob) ?? null, isPage, names }
    }),
  )
}

function findProblems(names: readonly string[], editions: SiteEditions): readonly Message[] {
  const twice = names
    .map((name) => ({ name, globs: globsOf(editions, name) }))
    .filter(({ globs }) => globs.length > 1)
    .map(({ name, globs }) => problemOf('in_file', EDITIONS_FILE, problemOf('two_globs', name, globs)))
  return [...twice, ...findUnusedGlobs(names, editions)]
}

/** The files below the folder that a page's attributes lead to. */
function findNames(html: string, page: string, baseUrl: string): readonly string[] {
  const base = `http://folder.invalid${encodeURI(baseUrl + page)}`
  return [...html.matchAll(ADDRESS)].flatMap(([, address = '']) => {
    const url = URL.parse(address, base)
    if (url?.host !== 'folder.invalid' || !url.pathname.startsWith(encodeURI(baseUrl))) return []
    return [decodeURIComponent(url.pathname).slice(baseUrl.length)]
  })
}

function heldFiles(files: readonly FolderFile[], audiences: readonly string[]): readonly FolderFile[] {
  const edition = { name: '', audiences }
  const own = files.filter(({ audience }) => holdsAudience(edition, audience))
  const named = new Set(files.flatMap(({ names }) => names))
  const here = new Set(own.flatMap(({ names }) => names))
  return own.filter(({ name, isPage }) => isPage || !named.has(name) || here.has(name))
}

/** What must not lie in a folder that is divided. */
async function findObstacles(dir: string): Promise<readonly Message[]> {
  const { files } = await listBuild(dir)
  return [
    ...((await isDescribedByHand(dir)) ? [problemOf('described_by_hand', SITE_JSON)] : []),
    ...(files.some(({ name }) => name === EDITIONS_FILE) ? [problemOf('rules_within', EDITIONS_FILE)] : []),
  ]
}

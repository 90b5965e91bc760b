import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import {
  type AbsentPage,
  absenceOfAddresses,
  absentDocIds,
  type StagedSite,
  sidebarsWithout,
} from '@sekisho/docusaurus/editions'
import { usualAddresses } from './addresses.ts'
import type { SiteFile } from './site-files.ts'

/** A folder that one edition after the other is built from. */
export interface Stage {
  /** The site with the files of the edition that was staged last, at the same place below a work tree as the real one. */
  readonly siteDir: string
  /** Environment that lets Git find the history of the stage. */
  readonly git: Readonly<Record<string, string>>
}

/** Below the site, where Docusaurus and we keep what builds make again; writers have one of their own, which no build changes. */
const STAGES = { build: '.cache/edition', writing: '.cache/edition-writing' } as const
/** File name of the stage's config. */
export const STAGED_CONFIG = 'sekisho.edition.config.mjs'
/** File of the edition's data for that config. */
const STAGED_EDITION = 'sekisho.edition.json'
const CONFIG = /^docusaurus\.config\.[mc]?[jt]s$/
const VERSIONED_SIDEBARS = /^(?:(.+)_)?versioned_sidebars\/(.+)-sidebars\.json$/
/** Folders that builds of the stage keep for the next one. */
const KEPT = new Set(['node_modules', '.docusaurus', '.cache'])

/** Makes the folder around the stage: whatever lies beside the site is reached through links, at the same relative path. */
export async function openStage(siteDir: string, use: keyof typeof STAGES = 'build'): Promise<Stage> {
  const top = await findWorkTree(siteDir)
  const root = join(siteDir, STAGES[use])
  const staged = join(root, relative(top ?? siteDir, siteDir))
  await mkdir(staged, { recursive: true })
  for (let real = siteDir, copy = staged; copy !== root; real = dirname(real), copy = dirname(copy))
    await linkNeighbours(dirname(real), dirname(copy))
  const git = top === null ? {} : { GIT_DIR: await gitDirOf(siteDir), GIT_WORK_TREE: root }
  return { siteDir: staged, git }
}

async function linkNeighbours(real: string, copy: string): Promise<void> {
  for (const name of await readdir(real)) {
    if (name === '.git') continue
    await linkTo(join(real, name), join(copy, name))
  }
}

/** A link of before that leads elsewhere is of a checkout that has been copied or moved since. */
async function linkTo(target: string, link: string): Promise<void> {
  const known = await readlink(link).catch(() => null)
  if (known === target) return
  if (known !== null) await rm(link)
  await symlink(target, link).catch((error) => {
    if (Object(error).code !== 'EEXIST') throw error
  })
}

/** The folder of the work tree that a site is in; null for one without a history. */
async function findWorkTree(siteDir: string): Promise<string | null> {
  const top = await askGit(siteDir, '--show-toplevel')
  return top === null || relative(top, await realpath(siteDir)).startsWith('..') ? null : top
}

async function gitDirOf(siteDir: string): Promise<string> {
  return (await askGit(siteDir, '--absolute-git-dir')) ?? ''
}

async function askGit(cwd: string, question: string): Promise<string | null> {
  const asked = promisify(execFile)('git', ['rev-parse', question], { cwd })
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

/** Content of an edition. */
interface HeldSite {
  /** All of the site's. */
  readonly files: readonly SiteFile[]
  /** The names of those that the edition holds. */
  readonly held: ReadonlySet<string>
  /** Audiences of the edition, besides unrestricted pages. */
  readonly audiences: readonly string[]
  /** Labels of an audience's pages. */
  readonly labels: ReadonlyMap<string, string>
}

/** Makes the stage hold these files of a site and no others. What has not changed stays as it is, so that caches of builds know it. */
export async function stageSite(stage: Stage, siteDir: string, edition: HeldSite): Promise<void> {
  const { files, held, audiences } = edition
  const absent = describeAbsent(files, held)
  const config = files.find(({ name }) => CONFIG.test(name))?.name ?? 'docusaurus.config.js'
  const labels = Object.fromEntries(labelsOf(edition).filter(([name]) => held.has(name)))
  const staged: StagedSite = {
    siteDir: stage.siteDir,
    audiences,
    absent,
    ...(Object.keys(labels).length > 0 && { labels }),
  }
  const written = new Map([
    [STAGED_CONFIG, configText(config, stage.siteDir, hash('sha256', JSON.stringify(labelsOf(edition))))],
    [STAGED_EDITION, JSON.stringify(staged)],
  ])
  for (const [name, text] of versionsWithout(edition, absent)) written.set(name, text)
  for (const [name, text] of keysWithout(files, held)) written.set(name, text)
  await removeOthers(stage.siteDir, '', new Set([...held, ...written.keys()]))
  for (const name of held)
    if (!written.has(name)) await copyChanged(join(siteDir, name), join(stage.siteDir, name))
  for (const [name, text] of written) await writeChanged(join(stage.siteDir, name), text)
}

function describeAbsent(files: readonly SiteFile[], held: ReadonlySet<string>): readonly AbsentPage[] {
  return files
    .filter(({ name }) => !held.has(name))
    .map(({ name, frontMatter: { id, slug } }) => ({
      name,
      ...(typeof id === 'string' && { id }),
      ...(typeof slug === 'string' && { slug }),
    }))
}

/** Sidebars of versions, which Docusaurus reads by itself, without what the edition lacks: documents, and links to where pages usually are. */
function* versionsWithout(
  { files, held }: HeldSite,
  absent: readonly AbsentPage[],
): Generator<readonly [name: string, text: string]> {
  const versions = files.flatMap(({ name, text }) => {
    const [, id, version] = VERSIONED_SIDEBARS.exec(name) ?? []
    if (version === undefined || text === null || !held.has(name)) return []
    return [{ name, text, folder: `${id === undefined ? '' : `${id}_`}versioned_docs/${version}` }]
  })
  if (versions.length === 0) return
  const addresses = [...usualAddresses(files)].filter(([, of]) => !of.some((file) => held.has(file.name)))
  const isAbsent = absenceOfAddresses({ paths: addresses.map(([address]) => address), gone: [], kept: [] })
  for (const { name, text, folder } of versions)
    yield [name, JSON.stringify(sidebarsWithout(JSON.parse(text), absentDocIds(absent, folder), isAbsent))]
}

/** The labels of all pages that have one, by their names. */
const labelsOf = ({ files, labels }: HeldSite): readonly (readonly [name: string, label: string])[] =>
  files.flatMap(({ name, audience, isMarkdown }) => {
    const label = isMarkdown ? labels.get(audience ?? '') : undefined
    return label === undefined ? [] : [[name, label] as const]
  })

/**
 * Config text equal for every edition: a changed one would invalidate the bundler's cache and double the cost. Edition data changes only
 * labels on shared pages.
 */
function configText(config: string, siteDir: string, labels: string): string {
  return `// ${labels}
import { readFileSync } from 'node:fs'
import config from './${config}'
import { inEdition } from 'sekisho/docusaurus'
export default () => inEdition(config, JSON.parse(readFileSync(${JSON.stringify(join(siteDir, STAGED_EDITION))}, 'utf8')))
`
}

/** Lists of authors and tags, by the folders they are in, without those that only pages elsewhere name. */
function* keysWithout(
  files: readonly SiteFile[],
  held: ReadonlySet<string>,
): Generator<readonly [name: string, text: string]> {
  for (const { name, table } of files) {
    const key = /(?:^|\/)(authors|tags)\.ya?ml$/.exec(name)?.[1]
    if (key === undefined || table === null || !held.has(name)) continue
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    const pages = files.filter((file) => file.isMarkdown && file.name.startsWith(folder))
    const named = (isHeld: boolean) =>
      new Set(
        pages
          .filter((file) => held.has(file.name) === isHeld)
          .flatMap(({ frontMatter }) => textsIn(frontMatter[key])),
      )
    const [here, elsewhere] = [named(true), named(false)]
    const kept = Object.entries(table).filter(([one]) => here.has(one) || !elsewhere.has(one))
    if (kept.length < Object.keys(table).length) yield [name, JSON.stringify(Object.fromEntries(kept))]
  }
}

const textsIn = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

async function removeOthers(root: string, folder: string, wanted: ReadonlySet<string>): Promise<boolean> {
  let isEmpty = true
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    const stays = KEPT.has(entry.name)
      ? true
      : entry.isDirectory()
        ? !(await removeOthers(root, name, wanted))
        : wanted.has(name)
    if (stays) isEmpty = false
    else await rm(join(root, name), { recursive: true })
  }
  return isEmpty
}

async function copyChanged(from: string, to: string): Promise<void> {
  const [real, copy] = [await stat(from), await stat(to).catch(() => null)]
  if (copy !== null && copy.size === real.size && copy.mtimeMs === real.mtimeMs) return
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to)
  await utimes(to, real.atimeMs / 1_000, real.mtimeMs / 1_000)
}

async function writeChanged(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

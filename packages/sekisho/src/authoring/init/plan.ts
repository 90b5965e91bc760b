import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type Site, SiteError } from '../../site/find-site.ts'
import { SETTINGS_FILE } from '../../site/settings-file.ts'
import { TEXTS } from '../../texts/index.ts'
import { addTheme, removeTheme, THEME } from './edit-config.ts'
import { dockerFile, IGNORED, installCommand, type SiteFacts, settingsFile, workflowFile } from './files.ts'

const messageOf = createMessages(TEXTS, 'init')

/** A file as it is to be; null to take it away. */
export interface Change {
  readonly file: string
  /** One line for the person who is asked. */
  readonly what: Message
  readonly content: string | null
}

interface InitChoices {
  readonly workflow: boolean
  readonly docker: boolean
  /** Enabled ones of `tools`. */
  readonly tools: readonly string[]
}

const REMOVE: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm uninstall',
  'npm-shrinkwrap.json': 'npm uninstall',
  'pnpm-lock.yaml': 'pnpm remove',
  'yarn.lock': 'yarn remove',
  'bun.lock': 'bun remove',
  'bun.lockb': 'bun remove',
}

/** The lock file of a site's package manager, in its folder or the nearest above: a site may have another one than its repository. */
function findLockFile(dir: string): string | null {
  const found = Object.keys(REMOVE).find((name) => existsSync(join(dir, name)))
  return found ?? (dirname(dir) === dir ? null : findLockFile(dirname(dir)))
}

/** The command by which a site's package manager takes a package out. */
export const removeCommand = ({ dir }: Pick<Site, 'dir'>): string =>
  REMOVE[findLockFile(dir) ?? ''] ?? 'npm uninstall'

/** Files written for a site, beside the config; deterministic, so that `--undo` recognises them. */
function ownFiles(
  { dir }: Site,
  facts: SiteFacts,
): readonly { file: string; what: Message; content: string }[] {
  const repository = findUpwards(dir, '.git') ?? dir
  const install = installCommand(findLockFile(dir))
  const workflow = join(repository, '.github', 'workflows', 'documentation.yml')
  return [
    {
      file: join(dir, SETTINGS_FILE),
      what: messageOf('settings'),
      content: settingsFile(facts),
    },
    {
      file: workflow,
      what: messageOf('workflow'),
      content: workflowFile(repository, dir, install),
    },
    { file: join(dir, 'Dockerfile'), what: messageOf('image'), content: dockerFile(install) },
  ]
}

/** Steps of `init`; empty when everything is done. Existing files stay as they are. */
export function planInit(
  site: Site,
  facts: SiteFacts,
  { workflow, docker, tools }: InitChoices,
): readonly Change[] {
  const [settings, ...optional] = ownFiles(site, facts)
  const chosen = [settings, ...optional.filter((_, index) => [workflow, docker][index])]
  const files = chosen.filter((change) => change !== undefined && !existsSync(change.file))
  return [
    ...planConfig(site, tools),
    ...planIgnore(site.dir),
    ...files.filter((change) => change !== undefined),
  ]
}

/** Tells if the site's config names the theme already. */
export const hasTheme = ({ configFile }: Site): boolean =>
  new RegExp(`['"\`]${THEME}['"\`]`).test(readFileSync(configFile, 'utf8'))

function planConfig(site: Site, tools: readonly string[]): readonly Change[] {
  if (hasTheme(site)) return []
  const { configFile } = site
  const content = addTheme(readFileSync(configFile, 'utf8'), configFile, tools)
  if (content === null) throw new SiteError(messageOf('no_place', basename(configFile), THEME))
  return [{ file: configFile, what: messageOf('one_line', THEME), content }]
}

function planIgnore(dir: string): readonly Change[] {
  const file = join(dir, '.gitignore')
  const source = readText(file) ?? ''
  const missing = IGNORED.filter(
    ([folder]) => !new RegExp(`^/?${folder.replace('.', '\\.')}/?$`, 'm').test(source),
  )
  if (missing.length === 0) return []
  const folders = missing.map(([folder]) => `${folder}/`)
  return [
    {
      file,
      what: messageOf('leaves_out', folders),
      content: source + missing.map(([, lines]) => lines).join(''),
    },
  ]
}

/** Steps of `--undo`, and changed files that it keeps. */
interface Undoing {
  readonly changes: readonly Change[]
  readonly kept: readonly string[]
  /** Folders that hold something of ours, with what they hold; without `all` they stay, and stay out of Git. */
  readonly folders: readonly { readonly folder: string; readonly what: Message }[]
}

/** @param all whether what builds and gates have left is taken away as well, secrets and sessions among it */
export function planUndo(site: Site, facts: SiteFacts, all: boolean): Undoing {
  const folders = findOwnFolders(site.dir)
  const changes: Change[] = []
  const kept: string[] = []
  const config = readFileSync(site.configFile, 'utf8')
  const without = removeTheme(config)
  if (without !== null)
    changes.push({ file: site.configFile, what: messageOf('theme_line_removed'), content: without })
  else if (config.includes(THEME)) kept.push(site.configFile)
  const ignoreFile = join(site.dir, '.gitignore')
  const ignore = readText(ignoreFile) ?? ''
  const stays = (name: string) =>
    !all && folders.some(({ folder }) => folder.startsWith(join(site.dir, name)))
  const content = IGNORED.reduce(
    (text, [name, lines]) => (stays(name) ? text : text.replace(lines, '')),
    ignore,
  )
  if (content !== ignore)
    changes.push({
      file: ignoreFile,
      what: messageOf('unchanged_line'),
      content: content === '' ? null : content,
    })
  for (const { file, content } of ownFiles(site, facts)) {
    const found = readText(file)
    if (found === content) changes.push({ file, what: messageOf('will_be_deleted'), content: null })
    else if (found !== null && basename(file) === SETTINGS_FILE) kept.push(file)
  }
  return { changes, kept, folders }
}

/** Folders that builds and gates leave in a site: the data folder, and our build caches. */
function findOwnFolders(dir: string): Undoing['folders'] {
  const cache = join(dir, '.cache')
  const kept = existsSync(cache)
    ? readdirSync(cache).filter((name) => /^(?:sekisho-|edition|earlier-builds$)/.test(name))
    : []
  return [
    { folder: join(dir, '.sekisho'), what: messageOf('kept_data') },
    ...kept.map((name) => ({ folder: join(cache, name), what: messageOf('kept_for_builds') })),
  ].filter(({ folder }) => existsSync(folder))
}

/** The nearest folder at or above one that holds a name. */
function findUpwards(folder: string, name: string): string | null {
  if (existsSync(join(folder, name))) return folder
  return dirname(folder) === folder ? null : findUpwards(dirname(folder), name)
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** A file's name relative to the working folder. */
export const shortName = (cwd: string, file: string): string => relative(cwd, file) || file

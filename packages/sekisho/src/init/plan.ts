import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Site, SiteError } from '../site/find-site.ts'
import { SETTINGS_FILE } from '../site/settings-file.ts'
import { addTheme, removeTheme, THEME } from './edit-config.ts'
import { dockerFile, IGNORED, installCommand, type SiteFacts, settingsFile, workflowFile } from './files.ts'

/** A file as it is to be; null to take it away. */
export interface Change {
  readonly file: string
  /** One line for the person who is asked. */
  readonly what: string
  readonly content: string | null
}

export interface InitChoices {
  readonly workflow: boolean
  readonly docker: boolean
}

/** What is written for a site, beside the config; the same every time, so that `--undo` knows it again. */
function ownFiles(
  { dir }: Site,
  facts: SiteFacts,
): readonly { file: string; what: string; content: string }[] {
  const repository = findUpwards(dir, '.git') ?? dir
  const lockFile =
    ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'].find((name) => findUpwards(dir, name)) ?? null
  const install = installCommand(lockFile)
  const workflow = join(repository, '.github', 'workflows', 'documentation.yml')
  return [
    {
      file: join(dir, SETTINGS_FILE),
      what: 'settings of the gate, with comments',
      content: settingsFile(facts),
    },
    {
      file: workflow,
      what: 'builds, proves and publishes a release on every push',
      content: workflowFile(repository, dir, install),
    },
    { file: join(dir, 'Dockerfile'), what: 'an image that serves the site', content: dockerFile(install) },
  ]
}

/** What `init` has to do; empty when everything is done. Files that are there are left as they are. */
export function planInit(site: Site, facts: SiteFacts, { workflow, docker }: InitChoices): readonly Change[] {
  const [settings, ...optional] = ownFiles(site, facts)
  const chosen = [settings, ...optional.filter((_, index) => [workflow, docker][index])]
  const files = chosen.filter((change) => change !== undefined && !existsSync(change.file))
  return [...planConfig(site), ...planIgnore(site.dir), ...files.filter((change) => change !== undefined)]
}

function planConfig({ configFile }: Site): readonly Change[] {
  const source = readFileSync(configFile, 'utf8')
  if (new RegExp(`['"\`]${THEME}['"\`]`).test(source)) return []
  const content = addTheme(source, configFile)
  if (content === null)
    throw new SiteError(
      `${basename(configFile)} makes its list of themes where it cannot be changed from here: add '${THEME}' to themes by hand and run this again`,
    )
  return [{ file: configFile, what: `one line: '${THEME}' among the themes`, content }]
}

function planIgnore(dir: string): readonly Change[] {
  const file = join(dir, '.gitignore')
  const source = readText(file) ?? ''
  if (/^\/?\.sekisho\/?$/m.test(source)) return []
  return [
    { file, what: 'leaves out .sekisho/, where releases and sessions are kept', content: source + IGNORED },
  ]
}

/** What `--undo` has to do, and what it leaves because somebody has changed it since. */
export function planUndo(
  site: Site,
  facts: SiteFacts,
): { changes: readonly Change[]; kept: readonly string[] } {
  const changes: Change[] = []
  const kept: string[] = []
  const config = readFileSync(site.configFile, 'utf8')
  const without = removeTheme(config)
  if (without !== null)
    changes.push({ file: site.configFile, what: 'the line is taken out', content: without })
  else if (config.includes(THEME)) kept.push(site.configFile)
  const ignore = readText(join(site.dir, '.gitignore'))
  if (ignore?.includes(IGNORED) === true) {
    const content = ignore.replace(IGNORED, '')
    const file = join(site.dir, '.gitignore')
    changes.push({ file, what: 'as it was', content: content === '' ? null : content })
  }
  for (const { file, content } of ownFiles(site, facts)) {
    const found = readText(file)
    if (found === content) changes.push({ file, what: 'is taken away', content: null })
    else if (found !== null && basename(file) === SETTINGS_FILE) kept.push(file)
  }
  return { changes, kept }
}

/** The nearest folder at or above one that holds a name. */
function findUpwards(folder: string, name: string): string | null {
  if (existsSync(join(folder, name))) return folder
  return dirname(folder) === folder ? null : findUpwards(dirname(folder), name)
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** A file as somebody in a folder would name it. */
export const shortName = (cwd: string, file: string): string => relative(cwd, file) || file

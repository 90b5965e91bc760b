import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { formatGrants, riskOf } from '@sekisho/contract/grants'
import { createMessages, type Message } from '@sekisho/contract/language'
import { findConflictingTools, type Tools } from '@sekisho/docusaurus/tools'
import { type CommandIo, complainOf, defineCommand, misuse } from '../../command.ts'
import { plain, sayTo } from '../../language.ts'
import { findSite, type Site, SiteError } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import type { Finding, Verdict } from './compatibility.ts'
import { THEME } from './edit-config.ts'
import { findGrants } from './find-grants.ts'
import { proposalOf } from './known-hosts.ts'
import { type Change, hasTheme, planInit, planUndo, removeCommand, shortName } from './plan.ts'
import { loadConfig, type SiteConfig } from './read-site.ts'

const messageOf = createMessages(TEXTS, 'init')
const noteOf = createMessages(TEXTS, 'initNotes')

const HELP: Message = messageOf('help')

const OPTIONS = {
  site: { type: 'string' },
  workflow: { type: 'boolean', default: false },
  docker: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  tools: { type: 'string' },
} as const

/** Runs `sekisho init`. */
export const runInit = defineCommand({ name: 'init', help: HELP, options: OPTIONS }, async (read, io) => {
  const { site: named, yes, undo, all, tools, ...choices } = read.values
  const wanted = tools?.split(',').map((name) => name.trim())
  const known = Object.keys(TOOLS)
  const unknown = wanted?.filter((name) => !known.includes(name)) ?? []
  if (unknown.length > 0) return misuse(io, HELP, messageOf('unknown_tools', known, unknown))
  const site = findSite(io.cwd, named)
  const config = await loadConfig(site)
  io.print(plain(`${config.title} (${shortName(io.cwd, site.configFile)})`))
  return undo
    ? await takeBack(site, config, { yes, all }, io)
    : await putBehindGate(site, config, { ...choices, yes, tools: wanted }, io)
})

type Choices = {
  readonly workflow: boolean
  readonly docker: boolean
  readonly yes: boolean
  readonly tools: readonly string[] | undefined
}

/** Question about each tool without a configured choice. */
const TOOLS: Readonly<Record<keyof Tools, Message>> = {
  feedback: messageOf('ask_feedback'),
  markdown: messageOf('ask_markdown'),
  zoom: messageOf('ask_zoom'),
}

async function putBehindGate(
  site: Site,
  config: SiteConfig,
  choices: Choices,
  io: CommandIo,
): Promise<number> {
  printFindings(config.findings, io)
  await proposeGrants(site, config.findings, io)
  const tools = choices.tools ?? (await askForTools(site, config, choices.yes, io))
  const changes = planInit(site, config, { ...choices, tools })
  if (changes.length === 0) {
    io.print(`\n${sayTo(io, messageOf('nothing_to_change'))}`)
    return 0
  }
  printChanges(changes, io)
  if (!(await isAgreed(choices.yes, io))) return 1
  apply(changes)
  if (!(await loadConfig(site)).themes.includes(THEME)) {
    const [change] = planUndo(site, config, false).changes
    if (change !== undefined) apply([change])
    throw new SiteError(messageOf('without_effect', THEME))
  }
  io.print(`\n${sayTo(io, messageOf('done'))}`)
  return 0
}

async function takeBack(
  site: Site,
  config: SiteConfig,
  { yes, all }: { readonly yes: boolean; readonly all: boolean },
  io: CommandIo,
): Promise<number> {
  const { changes, kept, folders } = planUndo(site, config, all)
  for (const file of kept) io.print(`  ${sayTo(io, messageOf('changed_since', shortName(io.cwd, file)))}`)
  const gone = all ? folders : []
  if (!all)
    for (const { folder, what } of folders)
      io.print(`  ${sayTo(io, messageOf('stays', shortName(io.cwd, folder), what))}`)
  if (changes.length + gone.length === 0) {
    io.print(sayTo(io, messageOf('nothing_to_undo')))
    return kept.length === 0 ? 0 : 1
  }
  printChanges(
    [...changes, ...gone.map(({ folder: file, what }) => ({ file, what: messageOf('removed', what) }))],
    io,
  )
  if (!(await isAgreed(yes, io))) return 1
  apply(changes)
  for (const { folder } of gone) removeWithFolders(folder)
  io.print(`\n${sayTo(io, messageOf('undone', removeCommand(site)))}`)
  return 0
}

function printFindings(findings: readonly Finding[], io: CommandIo): void {
  const show = (heading: 'not_known' | Verdict, verdict: Verdict | null): void => {
    const found = findings.filter((finding) => finding.verdict === verdict)
    if (found.length === 0) return
    io.print(`\n${sayTo(io, messageOf(heading))}`)
    for (const { name, note } of found)
      io.print(`  ${note === null ? name : `${name}: ${sayTo(io, noteOf(note))}`}`)
  }
  for (const verdict of ['works', 'replaced', 'grant', 'refused'] as const) show(verdict, verdict)
  show('not_known', null)
}

/** Proposes grants by name: from the config, and from the last build if any. */
async function proposeGrants({ dir }: Site, findings: readonly Finding[], io: CommandIo): Promise<void> {
  const refused = findings.filter(({ verdict }) => verdict === 'refused').flatMap(({ grants = [] }) => grants)
  const known = findings.filter(({ verdict }) => verdict !== 'refused').flatMap(({ grants = [] }) => grants)
  const seen = [...known, ...(await findGrants(join(dir, 'build')))]
  const wanted = seen.filter(({ source }) => !refused.some((one) => one.source === source))
  const grants = proposalOf(wanted)
  if (grants.length === 0) return
  io.print(`\n${sayTo(io, messageOf('proposal'))}`)
  io.print(`  SEKISHO_CSP_ALLOW="${formatGrants(grants)}"`)
  const costs = grants.map((grant) => `  ${grant.kind} ${grant.source}: ${sayTo(io, riskOf(grant))}`)
  for (const line of new Set(costs)) io.print(line)
}

function printChanges(changes: readonly Pick<Change, 'file' | 'what'>[], io: CommandIo): void {
  io.print(`\n${sayTo(io, messageOf('changes'))}`)
  for (const { file, what } of changes) io.print(`  ${shortName(io.cwd, file)}: ${sayTo(io, what)}`)
}

async function isAgreed(yes: boolean, io: CommandIo): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) {
    complainOf('init', messageOf('unasked'), io)
    return false
  }
  return ask(`\n${sayTo(io, messageOf('ask_all'))}`)
}

/** Asks about tools once, and not about those that a plugin already provides. Sites that keep their own design want none. */
async function askForTools(
  site: Site,
  { findings }: SiteConfig,
  yes: boolean,
  io: CommandIo,
): Promise<readonly string[]> {
  if (yes || !process.stdin.isTTY || hasTheme(site)) return []
  const conflicting = findConflictingTools({ plugins: findings.map(({ name }) => name) })
  const chosen: string[] = []
  for (const [name, question] of Object.entries(TOOLS))
    if (!conflicting.includes(name) && (await ask(sayTo(io, question)))) chosen.push(name)
  return chosen
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

function apply(changes: readonly Change[]): void {
  for (const { file, content } of changes) {
    if (content === null) removeWithFolders(file)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
}

/** Takes a file or folder away, and the folders that held nothing else. */
function removeWithFolders(file: string): void {
  rmSync(file, { recursive: true, force: true })
  for (let folder = dirname(file); readdirSync(folder).length === 0; folder = dirname(folder))
    rmdirSync(folder)
}

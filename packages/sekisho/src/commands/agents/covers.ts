import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { encodePath } from '@sekisho/contract/canonical-path'
import { connectionProblem } from '@sekisho/contract/connection-failure'
import type { CoveringPage, CoveringPages } from '@sekisho/contract/covering-pages'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { compilePattern } from '@sekisho/contract/file-pattern'
import { createMessages } from '@sekisho/contract/language'
import { AGENT_ROUTES } from '@sekisho/contract/routes'
import { type CommandIo, complainOf, defineCommand, misuse } from '../../command.ts'
import { plain, sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { readToken } from '../check/probe.ts'
import { readPortalOrigin } from '../publish/publish.ts'

const messageOf = createMessages(TEXTS, 'agents')

const HELP = messageOf('covers_help')

const OPTIONS = {
  changed: { type: 'string' },
  origin: { type: 'string' },
  'token-file': { type: 'string' },
} as const
/** A range of commits, which git cannot take for an option. */
const RANGE = /^[^\s-]\S*?\.\.\S+$/
const MAX_GIT_BYTES = 64 * 1024 * 1024
const BOUNDS = { maxBytes: 8 * 1024 * 1024, timeoutMs: 30_000 }
/** A comment of GitHub has up to 65,536 characters. */
const MAX_PAGES = 50
const MAX_FILES = 3

/** Runs `sekisho covers`: prints Markdown about pages that cover changed files, and nothing without any. */
export const runCovers = defineCommand({ name: 'covers', help: HELP, options: OPTIONS }, async (read, io) => {
  const { changed = '', origin: named, 'token-file': tokenFile } = read.values
  const origin = readPortalOrigin(named ?? io.env.SEKISHO_ORIGIN)
  if (!RANGE.test(changed) || origin === null || tokenFile === undefined) return misuse(io, HELP)
  const files = changedFiles(changed, io)
  const { pages, more } = await askPages(origin, readToken(resolve(io.cwd, tokenFile)))
  if (more > 0) complainOf('covers', messageOf('covers_incomplete', more), io)
  const covering = pages
    .map((page) => {
      const patterns = page.covers.map(compilePattern)
      return { page, own: files.filter((file) => patterns.some((matches) => matches(file))) }
    })
    .filter(({ own }) => own.length > 0)
  if (covering.length === 0) return 0
  io.print(`### ${sayTo(io, messageOf('covers_title'))}\n`)
  for (const { page, own } of covering.slice(0, MAX_PAGES)) io.print(lineOf(page, own, origin, io))
  if (covering.length > MAX_PAGES)
    io.print(`- ${sayTo(io, messageOf('covers_more', covering.length - MAX_PAGES))}`)
  return 0
})

/** Paths that commits add, alter, remove or rename (under both names), from the root of the repository. */
function changedFiles(range: string, io: CommandIo): readonly string[] {
  const flags = ['--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff', '--end-of-options']
  try {
    const text = execFileSync('git', ['diff', ...flags, range, '--'], {
      cwd: io.cwd,
      encoding: 'utf8',
      maxBuffer: MAX_GIT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text.split('\0').filter((file) => file !== '')
  } catch {
    throw new ExplainedError(messageOf('covers_no_changes', range))
  }
}

async function askPages(origin: URL, token: string): Promise<CoveringPages> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const url = new URL(AGENT_ROUTES.covers.path, origin)
  const answer = await boundFetch(fetch, BOUNDS)(url, { headers, redirect: 'error' }).catch(connectionProblem)
  if (!(answer instanceof Response))
    throw new ExplainedError(messageOf('covers_unreachable', origin.host, answer))
  if (answer.status === 401) throw new ExplainedError(messageOf('covers_refused', origin.host))
  if (!answer.ok) throw new ExplainedError(messageOf('covers_status', origin.host, answer.status))
  return (await answer.json()) as CoveringPages // of the portal that the token is for
}

function lineOf(page: CoveringPage, files: readonly string[], origin: URL, io: CommandIo): string {
  const link = `[${escapeText(page.title)}](${new URL(encodePath(page.path), origin).href})`
  const owner = page.owner === null ? '' : sayTo(io, messageOf('covers_owner', escapeText(page.owner)))
  const named = files.slice(0, MAX_FILES).map(codeSpan).join(', ')
  const rest = files.length - MAX_FILES
  return `- ${link}${owner}: ${named}${rest > 0 ? sayTo(io, messageOf('covers_files', rest)) : ''}`
}

/** Escapes the punctuation of Markdown and HTML. */
const escapeText = (text: string): string => plain(text).replace(/[\\`*_[\]()<>&!|~#]/g, '\\$&')

/** Fences a name by more backticks than it has in a row. */
function codeSpan(name: string): string {
  const text = plain(name)
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const pad = runs.length === 0 ? '' : ' '
  return `${fence}${pad}${text}${pad}${fence}`
}

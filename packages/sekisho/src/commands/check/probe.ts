import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { boundFetch, ResponseTooLargeError } from '@sekisho/contract/bounded-fetch'
import { connectionProblem } from '@sekisho/contract/connection-failure'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { isRecord } from '@sekisho/contract/json-shape'
import { createMessages, type MessageOrText } from '@sekisho/contract/language'
import { LOGIN_CONFIG_ID, type LoginProvider, readLoginConfig } from '@sekisho/contract/login-page'
import { ROUTES } from '@sekisho/contract/routes'
import { type CommandIo, defineCommand, misuse } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { checkIssuers } from './checks/issuers.ts'

const messageOf = createMessages(TEXTS, 'check')

/** The login page is below 40 KB. */
const BOUNDS = { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 }
const CONFIG = new RegExp(`id="${LOGIN_CONFIG_ID}">(.*?)</script>`, 's')

interface ProbeOptions {
  readonly origin: URL
  readonly issuers: readonly string[]
  /** A reader's personal token; null leaves the signed-in page out. */
  readonly token: string | null
  /** The page that is read with it. */
  readonly page: string
  readonly fetch: typeof fetch
  readonly clock: () => number
  readonly env: CommandIo['env']
}

/** One part of the way to a page. */
interface ProbeResult {
  readonly name: string
  /** Null when it works. */
  readonly problem: MessageOrText | null
  readonly ms: number
}

const HELP = messageOf('probe_help')

const OPTIONS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  page: { type: 'string', default: '/' },
  issuer: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

/** Runs `sekisho probe` for monitoring systems: 0 when everything works, 1 when something does not, 2 for wrong options. */
export const runProbe = defineCommand({ name: 'probe', help: HELP, options: OPTIONS }, async (read, io) => {
  const { url = '', 'token-file': tokenFile, page, issuer: issuers = [], json } = read.values
  const isUsable =
    URL.canParse(url) && /^https?:/.test(url) && issuers.every((issuer) => URL.canParse(issuer))
  if (!isUsable || !page.startsWith('/')) return misuse(io, HELP, messageOf('probe_needs'))
  const token = tokenFile === undefined ? null : readToken(resolve(io.cwd, tokenFile))
  const { env, clock } = io
  const origin = new URL(url)
  const results = await probe({ origin, issuers, token, page, fetch, clock, env })
  const ok = results.every(({ problem }) => problem === null)
  if (json) {
    const checks = results.map(({ name, problem, ms }) => ({ name, ok: problem === null, ms, problem }))
    io.print(JSON.stringify({ ok, checks }))
    return ok ? 0 : 1
  }
  for (const { name, problem, ms } of results)
    io.print(
      `${problem === null ? '✔' : '✖'} ${name}${problem === null ? ` (${ms} ms)` : `: ${sayTo(io, problem)}`}`,
    )
  return ok ? 0 : 1
})

/** Reads a personal token from a file. */
export function readToken(file: string): string {
  let token = ''
  try {
    token = readFileSync(file, 'utf8').trim()
  } catch {}
  if (/^[\x21-\x7e]{1,500}$/.test(token)) return token
  throw new ExplainedError(messageOf('probe_no_token', file))
}

/**
 * Follows a reader's path: health, login page, the start of sign-in at each provider (including its discovery document), documents and keys
 * of issuers, and a page by personal token. Each is tried, whatever became of the others.
 */
export async function probe(options: ProbeOptions): Promise<readonly ProbeResult[]> {
  const { origin, issuers, token, page } = options
  const results: ProbeResult[] = []
  const time = async (name: string, check: () => Promise<MessageOrText | null>) => {
    const startedMs = performance.now()
    const problem = await check().catch((error: unknown) =>
      error instanceof ResponseTooLargeError ? messageOf('probe_too_long') : connectionProblem(error),
    )
    results.push({ name, problem, ms: Math.round(performance.now() - startedMs) })
  }
  let providers: readonly LoginProvider[] = []
  await time('health', async () => {
    const { status, text } = await ask(options, ROUTES.health.path, {})
    if (status !== 200) return messageOf('probe_status', status)
    const answer: unknown = JSON.parse(text)
    const word = isRecord(answer) ? answer.status : null
    return word === 'ok' ? null : messageOf('probe_health', String(word))
  })
  await time('login page', async () => {
    const { status, text } = await ask(options, '/', { headers: { Accept: 'text/html' } })
    const config = CONFIG.exec(text)?.[1]
    if (status !== 401 || config === undefined) return messageOf('probe_no_login', status)
    providers = readLoginConfig(config).providers
    return providers.length === 0 ? messageOf('probe_no_provider') : null
  })
  for (const { id, settings } of providers) {
    const { start } = settings
    if (start !== undefined) await time(`sign-in ${id}`, () => checkStart(options, start))
  }
  for (const issuer of issuers)
    await time(`issuer ${issuer}`, async () => {
      const { findings } = await checkIssuers([issuer], options)
      return findings[0] ?? null
    })
  if (token !== null)
    await time(`page ${page}`, async () => {
      const headers = { Accept: 'text/markdown', Authorization: `Bearer ${token}` }
      const { status, text } = await ask(options, page, { headers })
      if (status === 401) return messageOf('probe_token_refused', origin.host)
      return status === 200 && text !== '' ? null : messageOf('probe_status', status)
    })
  return results
}

/** The gate answers with the provider's address, where it could read the provider's description. */
async function checkStart(options: ProbeOptions, start: string): Promise<MessageOrText | null> {
  const headers = { 'Content-Type': 'application/json', Origin: options.origin.origin }
  const body = JSON.stringify({ returnTo: '/', prompt: 'any' })
  const { status, text } = await ask(options, start, { method: 'POST', headers, body })
  if (status !== 200) return messageOf('probe_start', status)
  const answer: unknown = JSON.parse(text)
  const location = isRecord(answer) ? answer.location : null
  return typeof location === 'string' && URL.canParse(location) ? null : messageOf('probe_start', status)
}

async function ask({ origin, fetch }: ProbeOptions, path: string, init: RequestInit) {
  const response = await boundFetch(fetch, BOUNDS)(new URL(path, origin), { ...init, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

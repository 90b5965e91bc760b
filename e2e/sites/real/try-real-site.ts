import { exec } from 'node:child_process'
import { appendFile, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { type Browser, expect, type Page } from '@playwright/test'
import { encodePath } from '@sekisho/contract/canonical-path'
import type { SiteJson } from '@sekisho/contract/site-json'
import { findFreePort } from '../../support/product.ts'
import { ACCOUNTS, chooseAccount, loginButton } from '../../support/sign-in.ts'
import { EXPECTED } from '../expected.ts'
import type { Expected } from '../fixture.ts'
import { runMeasured, startServer } from '../measured-command.ts'
import { compareFaces, readFace } from '../page-face.ts'
import { openContext, openPage } from '../reader.ts'
import { QUERIES } from './queries.ts'
import type { RealSite } from './real-site.ts'
import { serveFolder } from './serve-folder.ts'

const SEKISHO = fileURLToPath(new URL('../../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const COMPARED_PAGES = 8
const ASKED_QUERIES = 10
const shell = promisify(exec)

/** Differences that are meant, or that the site itself has. */
const MEANT: readonly Expected[] = [
  ...EXPECTED,
  {
    line: /^console [-+] error (?:Failed to load resource: the server responded with a status of 404|Refused to (?:apply style|execute script) from '[^']*' because its MIME type \('text\/html'\))/,
    reason: 'a file that the site names and does not have: both say so, each in its way',
  },
  {
    line: /^console \+ (?:error A bad HTTP response code \(404\) was received when fetching the script|uncaught Failed to register a ServiceWorker)/,
    reason: 'a service worker would outlive sign-out, so the gate gives none its script',
  },
]

/** Result of a site; steps not reached are absent. */
export interface RealOutcome {
  readonly site: RealSite
  /** Files that a person had to change beside what `init` did: 0, or 1 where it gave up. */
  edits?: number
  equal?: number
  compared?: number
  /** Unpacked bytes of all compared pages until they were loaded. */
  stockBytes?: number
  gatedBytes?: number
  isClosed?: boolean
  /** Queries, and of how many a right page came first, and among the first five. */
  asked?: number
  first?: number
  firstFive?: number
  seconds?: readonly [stock: number, gated: number]
  readonly problems: string[]
}

interface Built {
  readonly stockDir: string
  readonly sekisho: string
  readonly cwd: string
  readonly dataDir: string
  readonly site: SiteJson
  readonly hydrates: boolean
  /** Of the serving gate. */
  readonly env: Readonly<Record<string, string>>
  /** Output of the build. */
  readonly output: string
}

/** Builds a checkout as it is and behind the gate, lays pages of both side by side, asks ten queries and verifies the gate. */
export async function tryRealSite(
  site: RealSite,
  checkout: string,
  tarball: string,
  browser: Browser,
): Promise<RealOutcome> {
  const outcome: RealOutcome = { site, problems: [] }
  try {
    const built =
      site.install === undefined
        ? await packFolder(site, checkout, outcome)
        : await buildDocusaurus(site, checkout, tarball, outcome)
    await readBoth(built, outcome, browser)
    const verify = ['verify', '--quick', '--data-dir', built.dataDir]
    const proof = await runMeasured([built.sekisho, ...verify], built.cwd).catch((error: Error) => error)
    outcome.isClosed = !(proof instanceof Error)
    if (proof instanceof Error) outcome.problems.push(lastLines(proof.message))
  } catch (error) {
    outcome.problems.push(lastLines(error instanceof Error ? error.message : String(error)))
  }
  return outcome
}

async function packFolder(site: RealSite, checkout: string, outcome: RealOutcome): Promise<Built> {
  const cwd = join(checkout, site.dir)
  const dataDir = join(checkout, '.sekisho-try')
  await rm(dataDir, { recursive: true, force: true })
  const packed = await runMeasured(
    [SEKISHO, 'pack', '.', '--data-dir', dataDir, ...(site.baseUrl ? ['--base', site.baseUrl] : [])],
    cwd,
  )
  outcome.edits = 0
  outcome.seconds = [0, packed.ms / 1000]
  const grants = joinGrants(tellKeptAway(packed.output, outcome), site.grants)
  return {
    stockDir: cwd,
    sekisho: SEKISHO,
    cwd: checkout,
    dataDir,
    site: await readSite(cwd),
    hydrates: false,
    env: grants === undefined ? {} : { SEKISHO_CSP_ALLOW: grants },
    output: packed.output,
  }
}

async function buildDocusaurus(
  site: RealSite,
  checkout: string,
  tarball: string,
  outcome: RealOutcome,
): Promise<Built> {
  const dir = join(checkout, site.dir)
  const stockDir = join(checkout, '.stock-try')
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH, ...site.env }
  await shell((site.install ?? '').replace('TARBALL', tarball), {
    cwd: checkout,
    env: { ...process.env, ...env },
    maxBuffer: 1e8,
  })
  const require = createRequire(join(dir, 'package.json'))
  const docusaurus = join(dirname(require.resolve('@docusaurus/core/package.json')), 'bin/docusaurus.mjs')
  const sekisho = join(dirname(require.resolve('sekisho/package.json')), 'bin/installed.mjs')
  for (const made of ['build', '.docusaurus', '.sekisho'])
    await rm(join(dir, made), { recursive: true, force: true })
  if (site.before !== undefined) await shell(site.before, { cwd: dir, env: { ...process.env, ...env } })
  const stock = await runMeasured([docusaurus, 'build'], dir, env)
  await rm(stockDir, { recursive: true, force: true })
  await rename(join(dir, 'build'), stockDir)
  await rm(join(dir, '.docusaurus'), { recursive: true, force: true })
  const init = await runMeasured([sekisho, 'init', '--yes'], dir, env).catch((error: Error) => error)
  outcome.edits = init instanceof Error ? 1 : 0
  if (init instanceof Error) throw init
  const first = await runMeasured([sekisho, 'build'], dir, env)
  outcome.seconds = [stock.ms / 1000, first.ms / 1000]
  const grants = joinGrants(tellKeptAway(first.output, outcome), site.grants)
  if (grants !== undefined) await appendFile(join(dir, 'sekisho.env'), `\nSEKISHO_CSP_ALLOW="${grants}"\n`)
  const siteJson = await readSite(join(dir, 'build'))
  return {
    stockDir,
    sekisho,
    cwd: dir,
    dataDir: join(dir, '.sekisho'),
    site: siteJson,
    hydrates: true,
    env: {},
    output: first.output,
  }
}

/** Returns the line that the build proposes: an owner who wants the site's face takes it. */
function tellKeptAway(output: string, { problems }: RealOutcome): string | undefined {
  const text = stripVTControlCharacters(output)
  const grants = /SEKISHO_CSP_ALLOW="(.*)"/.exec(text)?.[1]
  if (grants !== undefined) problems.push(`grants proposed and given: ${grants}`)
  return grants
}

/** Hosts that the build names as measuring readers and proposes no grant for. */
function measuring(output: string): readonly Expected[] {
  const [, section = ''] =
    /This measures readers.*\n((?: {2}.*\n)*)/.exec(stripVTControlCharacters(output)) ?? []
  return [...section.matchAll(/https:\/\/[^\s/)]+/g)].map(([origin]) => ({
    line: new RegExp(`^console \\+ error (?:Loading the script|Connecting to) '${RegExp.escape(origin)}`),
    reason: 'it measures readers',
  }))
}

/** One setting of what the build proposes and what the site is known to want besides. */
function joinGrants(...settings: readonly (string | undefined)[]): string | undefined {
  const given = settings.filter((setting) => setting !== undefined)
  return given.length === 0 ? undefined : given.join('; ')
}

async function readSite(buildDir: string): Promise<SiteJson> {
  return JSON.parse(await readFile(join(buildDir, '__sekisho/site.json'), 'utf8'))
}

async function readBoth(built: Built, outcome: RealOutcome, browser: Browser): Promise<void> {
  const { site, hydrates } = built
  const meant = [...MEANT, ...measuring(built.output)]
  await using stock = await serveFolder(built.stockDir, site.baseUrl)
  const port = await findFreePort()
  const gateOrigin = `http://localhost:${port}`
  const serve = [built.sekisho, 'serve', '--local', '--data-dir', built.dataDir]
  await using _gate = await startServer(
    serve,
    built.cwd,
    { ...built.env, PORT: String(port) },
    /Sekisho is ready/,
  )
  const stockContext = await openContext(browser, stock.origin, {})
  const gateContext = await openContext(browser, gateOrigin, {})
  try {
    const [stockPage, gatePage] = [await stockContext.newPage(), await gateContext.newPage()]
    const pages = spread(site.pages, COMPARED_PAGES)
    await gatePage.goto(gateOrigin + encodePath(pages[0]?.path ?? '/'))
    await chooseAccount(gatePage, ACCOUNTS.member)
    await expect(loginButton(gatePage)).toBeHidden()
    Object.assign(outcome, { compared: pages.length, equal: 0, stockBytes: 0, gatedBytes: 0 })
    for (const { path } of pages) {
      const lookAt = async (page: Page, origin: string) =>
        readFace(page, await openPage(page, origin + encodePath(path), { hydrates }))
      const before = await lookAt(stockPage, stock.origin)
      const after = await lookAt(gatePage, gateOrigin)
      outcome.stockBytes = (outcome.stockBytes ?? 0) + before.weight.unpackedBytes
      outcome.gatedBytes = (outcome.gatedBytes ?? 0) + after.weight.unpackedBytes
      const lines = compareFaces(before, after).filter((line) => !meant.some((one) => one.line.test(line)))
      if (lines.length === 0) outcome.equal = (outcome.equal ?? 0) + 1
      outcome.problems.push(...lines.map((line) => `${path} ${line.slice(0, 300)}`))
    }
    await gatePage.goto(gateOrigin + encodePath(pages[0]?.path ?? '/')) // some pages send their reader elsewhere
    await askQueries(gatePage, built, outcome)
  } finally {
    await stockContext.close()
    await gateContext.close()
  }
}

/** Asks what was written for the site, else the titles of five and headings of five more of ten pages. */
async function askQueries(page: Page, built: Built, outcome: RealOutcome): Promise<void> {
  Object.assign(outcome, { asked: 0, first: 0, firstFive: 0 })
  for (const { base, words, isRight } of questionsTo(outcome.site) ?? (await questionsFrom(built))) {
    const found = await page.evaluate(
      async (parameters) => {
        const answer = await fetch(`/__gate/search?${new URLSearchParams(parameters)}`)
        if (!answer.ok) return [`${answer.status}`]
        const { results } = await answer.json()
        return (results as readonly { url: string }[]).map(({ url }) => url)
      },
      { q: words, limit: '5', ...(base === '/' ? {} : { base }) },
    )
    const rank = found.findIndex((url) => isRight(decodeURI(url)))
    outcome.asked = (outcome.asked ?? 0) + 1
    if (rank === 0) outcome.first = (outcome.first ?? 0) + 1
    if (rank >= 0) outcome.firstFive = (outcome.firstFive ?? 0) + 1
    else outcome.problems.push(`search: ${JSON.stringify(words)} finds ${found.join(' ')}`)
  }
}

interface Question {
  /** The path of the asking page's language. */
  readonly base: string
  readonly words: string
  isRight(path: string): boolean
}

function questionsTo({ name }: RealSite): readonly Question[] | undefined {
  const bare = (path: string) => path.toLowerCase().replace(/(?:\/|\/index|\.html)+$/, '')
  const written = QUERIES[name]
  return (
    written &&
    Object.entries(written).flatMap(([base, asked]) =>
      asked.map(([words, ...pages]) => ({
        base,
        words,
        isRight: (path: string) => pages.some((end) => bare(path).endsWith(bare(end))),
      })),
    )
  )
}

/** Queries from headings, whose page must be found. Headings shared among the ten are left out. */
async function questionsFrom({ site, stockDir }: Built): Promise<readonly Question[]> {
  const read = await Promise.all(
    site.pages.map(async (one) => ({
      ...one,
      html: await readFile(join(stockDir, one.file), 'utf8').catch(() => ''),
    })),
  )
  const pages = read.filter(({ html }) => !/<meta[^>]+http-equiv="?refresh/i.test(html)) // sends its reader elsewhere
  const chosen = spread(pages, ASKED_QUERIES).map(({ path, title, html }) => {
    const headings = [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, text = '']) =>
      text
        .replace(/<[^>]*>|&#?\w+;|[#¶\u200b]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    return { path, title, headings }
  })
  return chosen.map(({ path, title, headings }, index) => {
    const isOwn = (text: string) => chosen.filter((other) => other.headings.includes(text)).length === 1
    const heading = headings.find((text) => text !== '' && isOwn(text))
    const words = ((index % 2 === 1 ? heading : undefined) ?? title).slice(0, 200)
    return { base: '/', words, isRight: (found) => found === path }
  })
}

/** So many of a list, evenly, its first one among them. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  )
}

const lastLines = (text: string): string =>
  stripVTControlCharacters(text).trim().split('\n').slice(-12).join('\n')

/** The table of bench/sites/real-sites.md, as Markdown. */
export function printRealTable(outcomes: readonly RealOutcome[]): void {
  console.log(
    '\n| site | kind | hand edits | pages equal | KB stock → gated | verify | queries: first / in five | build s stock → gated |\n|---|---|---|---|---|---|---|---|',
  )
  for (const { site, edits, equal, compared, stockBytes = 0, gatedBytes = 0, ...rest } of outcomes) {
    const weight = `${(stockBytes / 1e3).toFixed(0)} → ${(gatedBytes / 1e3).toFixed(0)} (${(((gatedBytes - stockBytes) / (stockBytes || 1)) * 100).toFixed(1)} %)`
    const { isClosed, asked, first, firstFive, seconds } = rest
    const closed = isClosed === undefined ? '–' : isClosed ? 'closed' : 'not closed'
    const cells = [
      ...[site.name, site.kind, edits ?? '–', `${equal ?? '–'} of ${compared ?? '–'}`, weight, closed],
      `${first ?? '–'} / ${firstFive ?? '–'} of ${asked ?? '–'}`,
      seconds?.map((value) => value.toFixed(0)).join(' → ') ?? '–',
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

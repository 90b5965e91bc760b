import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify, stripVTControlCharacters } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'
import { type Product, startProduct } from '../support/product.ts'
import { ACCOUNTS, chooseAccount, loginButton } from '../support/sign-in.ts'
import { CLIENTS, type ReleasedClient } from './clients.ts'
import { startModel } from './model.ts'

/**
 * Installs released agent clients from the registry and tries each against a gate of its own: sign-in, tools, refresh, restart, revocation
 * and expiry. `npm run agents:clients [-- NAME …]`; needs Chromium and the `script` of util-linux. Exit code 1 when a step failed.
 */
const chosen = CLIENTS.filter(({ name }) => process.argv.length < 3 || process.argv.includes(name))
const STEP_MS = 60_000

const model = await startModel()
const { executablePath, args } = await findBrowser()
const browser = await chromium.launch({ executablePath, args })
let failed = 0
for (const client of chosen) {
  for await (const [step, outcome] of tryClient(client, browser)) {
    if (outcome !== 'ok') failed += 1
    console.log(`${client.name.padEnd(12)} ${step.padEnd(12)} ${outcome}`)
  }
}
await browser.close()
model.stop()
process.exitCode = failed === 0 ? 0 : 1

async function* tryClient(
  client: ReleasedClient,
  browser: Browser,
): AsyncGenerator<[step: string, outcome: string]> {
  const home = await mkdtemp(path.join(tmpdir(), 'sekisho-client-'))
  let product = await startProduct()
  const context = await browser.newContext({ baseURL: product.origin })
  const page = await context.newPage()
  const attempt = async (act: () => Promise<unknown>): Promise<string> => {
    try {
      await act()
      return 'ok'
    } catch (error) {
      return String(error instanceof Error ? error.message : error).slice(0, 400)
    }
  }
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, client.package])
    if (client.installScript !== undefined)
      await promisify(execFile)('node', [path.join(home, 'node_modules', client.installScript)])
    await writeOpener(home)
    await client.configure(home, `${product.origin}/mcp`, model.origin)
    const used = () => attempt(() => runClient(client, home, `${product.origin}/mcp`))
    const signInNow = () => signIn(client, home, `${product.origin}/mcp`, page)
    const signInAgain = async () => {
      if (client.signOut !== undefined) await once(start(client, home, client.signOut).child, 'exit')
      await signInNow()
    }
    yield ['sign-in', await attempt(signInNow)]
    yield ['tools', await used()]
    await endAccess(home)
    yield ['refresh', await used()]
    await product.pause()
    product = await startProduct({ continues: product })
    yield ['restart', await used()]
    await revoke(page, product)
    yield ['revocation', await attempt(signInAgain)]
    await product.pause()
    forgetGrants(product)
    product = await startProduct({ continues: product })
    yield ['expiry', await attempt(signInAgain)]
    yield ['tools again', await used()]
  } finally {
    await context.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Puts a program in the place of the one that opens a browser: it writes down the address. */
async function writeOpener(home: string): Promise<void> {
  const bin = path.join(home, 'opener')
  await mkdir(bin)
  for (const name of ['xdg-open', 'open', 'sensible-browser']) {
    await writeFile(path.join(bin, name), `#!/bin/sh\necho "$1" >> '${path.join(home, 'opened')}'\n`)
    await chmod(path.join(bin, name), 0o755)
  }
}

function start(client: ReleasedClient, home: string, command: readonly string[], onTerminal = false) {
  const bin = path.join(home, 'node_modules', '.bin')
  const terminal = `stty rows 50 cols 200; exec ${command.map((word) => `'${word}'`).join(' ')}`
  const [program = client.name, ...rest] = onTerminal ? ['script', '-qec', terminal, '/dev/null'] : command
  const env = {
    ...{ PATH: [path.join(home, 'opener'), bin, process.env.PATH].join(path.delimiter), HOME: home },
    ...{ BROWSER: path.join(home, 'opener', 'xdg-open'), DISPLAY: ':0', NO_COLOR: '1' },
    ...{ TERM: 'xterm-256color', ...client.env?.(model.origin) },
  }
  const child = spawn(program, rest, { cwd: home, env, stdio: 'pipe' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += stripVTControlCharacters(String(part))
    })
  return { child, said: () => said }
}

/** Waits for a value that is not null; rejects with what the client said. */
async function waitFor<T>(look: () => Promise<T | null> | T | null, said: () => string): Promise<T> {
  const deadline = Date.now() + STEP_MS
  while (Date.now() < deadline) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`nothing in ${STEP_MS / 1_000} s: ${said().slice(-300)}`)
}

/** Runs the client until it shows what a client without access does not. */
async function runClient(client: ReleasedClient, home: string, url: string): Promise<void> {
  const { shows } = client.use
  const { child, said } = start(client, home, client.use.command(url))
  try {
    await waitFor(() => (shows.test(said()) ? true : null), said)
  } finally {
    child.kill()
  }
}

/** Runs the client's sign-in on a terminal, and allows it in the browser that it opens. */
async function signIn(client: ReleasedClient, home: string, url: string, page: Page): Promise<void> {
  const opened = path.join(home, 'opened')
  await rm(opened, { force: true })
  const { child, said } = start(client, home, client.signIn(url), true)
  try {
    let keys = 0
    const address = await waitFor(async () => {
      // Text and its Enter key come apart, or it is taken for pasted; both come again until its commands are loaded.
      if (client.types !== undefined) child.stdin.write(keys++ % 25 === 9 ? client.types : '\r')
      const text = await readFile(opened, 'utf8').catch(() => '')
      return /https?:\/\/[^\s"']+\/oauth\/authorize\?[^\s"']+/.exec(text)?.[0] ?? null
    }, said)
    await page.goto(address)
    const allow = page.getByRole('button', { name: '許可する' })
    await loginButton(page).or(allow).first().waitFor()
    if (await loginButton(page).isVisible()) await chooseAccount(page, ACCOUNTS.member)
    await allow.click()
    await waitFor(() => (client.isSignedIn.test(said()) ? true : null), said)
  } finally {
    child.kill()
  }
}

/** Spoils the access token that the client keeps, and its end, as if its time were over; the refresh token stays. */
async function endAccess(home: string): Promise<void> {
  let changed = 0
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || file.includes('node_modules') || !/json/.test(entry.name)) continue
    const text = await readFile(file, 'utf8')
    const spoiled = text.replace(/(access_?token\\?":\s*\\?")[^"\\]+/i, '$1sekisho_agent_over')
    if (spoiled === text) continue
    changed += 1
    await writeFile(file, spoiled.replace(/("expires_?at":\s*)\d+/i, '$11'))
  }
  if (changed === 0) console.log('no access token was found in the files of the client')
}

async function revoke(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.origin}/__gate/account`)
  await page.getByRole('button', { name: '取り消す' }).first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** As after 31 days without use: neither grant nor registration is known any more. */
function forgetGrants({ dataDir }: Product): void {
  const database = new DatabaseSync(path.join(dataDir, 'sessions.db'))
  for (const table of ['grant_tokens', 'grants', 'agent_clients']) database.exec(`DELETE FROM ${table}`)
  database.close()
}

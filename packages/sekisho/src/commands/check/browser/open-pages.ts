import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chrome.exe',
  'msedge.exe',
]
const WELL_KNOWN = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]
/** So long each page runs after it was asked for: enough to load, and for what its scripts ask for then. */
const RUNS_MS = 4_000
const AT_ONCE = 4
const STARTS_MS = 30_000

/** The browser did not start, or ended before it was done. */
export class BrowserError extends Error {
  override readonly name = 'BrowserError'
  readonly code = 'browser_failed'
}

/** The Chromium, Chrome or Edge of this machine: the one that `CHROME_PATH` names, else the first on `PATH`; null without one. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | null {
  const folders = (env.PATH ?? '').split(delimiter)
  const candidates = [
    ...(env.CHROME_PATH ? [env.CHROME_PATH] : []),
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...WELL_KNOWN,
  ]
  return candidates.find((file) => existsSync(file)) ?? null
}

/** Opens each address for some seconds, each in a tab of its own. Rejects when the browser does not start, or ends. */
export function openPages(chromium: string, urls: readonly URL[], onOpened: () => void): Promise<void> {
  return withTabs(chromium, [], async (tabs) => {
    const queue = urls.values()
    const work = async () => {
      for (const url of queue) {
        const { targetId } = Object(await tabs.call('Target.createTarget', { url: url.href }))
        await setTimeout(RUNS_MS)
        await tabs.call('Target.closeTarget', { targetId })
        onOpened()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  })
}

/** Prints local HTML files to PDF without access to a network. Throws {@link BrowserError}. */
export function printPages(chromium: string, files: readonly string[]): Promise<readonly Buffer[]> {
  return withTabs(chromium, ['--host-resolver-rules=MAP * ~NOTFOUND'], async (tabs) => {
    const printed: Buffer[] = []
    for (const file of files) {
      const url = pathToFileURL(file).href
      const { targetId } = Object(await tabs.call('Target.createTarget', { url }))
      const { sessionId } = Object(await tabs.call('Target.attachToTarget', { targetId, flatten: true }))
      const state = { expression: 'location.href + document.readyState' }
      for (let waited = 0; ; waited += STEP_MS) {
        const { result } = Object(await tabs.call('Runtime.evaluate', state, sessionId))
        if (result.value === `${url}complete`) break
        if (waited > LOADS_MS) throw new BrowserError(`not loaded after ${LOADS_MS / 1000} s`)
        await setTimeout(STEP_MS)
      }
      const { data } = Object(await tabs.call('Page.printToPDF', { preferCSSPageSize: true }, sessionId))
      printed.push(Buffer.from(String(data), 'base64'))
      await tabs.call('Target.closeTarget', { targetId })
    }
    return printed
  })
}

const STEP_MS = 50
const LOADS_MS = 60_000

type Tabs = Awaited<ReturnType<typeof connect>>

/** Runs a browser with a new profile for as long as `run` takes. */
async function withTabs<Result>(
  chromium: string,
  args: readonly string[],
  run: (tabs: Tabs) => Promise<Result>,
): Promise<Result> {
  const profile = await mkdtemp(join(tmpdir(), 'sekisho-browser-'))
  const browser = startChromium(chromium, profile, args)
  const ended = once(browser, 'exit')
  try {
    const tabs = await connect(await readEndpoint(browser))
    const result = await run(tabs)
    tabs.close()
    return result
  } finally {
    browser.kill('SIGKILL')
    if (browser.pid !== undefined) await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

function startChromium(chromium: string, profile: string, more: readonly string[]) {
  const args = [
    '--headless=new',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--mute-audio',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // Chromium refuses its sandbox to root
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    ...more,
    'about:blank',
  ]
  return spawn(chromium, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Address for commands to the browser, which it prints once it is ready. */
function readEndpoint(browser: ReturnType<typeof startChromium>): Promise<URL> {
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new BrowserError(why))
    setTimeout(STARTS_MS, undefined, { ref: false }).then(() => failed(`no word after ${STARTS_MS / 1000} s`))
    browser.once('error', ({ message }) => failed(message))
    browser.once('exit', (code) => failed(`exit code ${code}`))
    createInterface(browser.stderr).on('line', (line) => {
      const [, address] = /DevTools listening on (ws:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(new URL(address))
    })
  })
}

/** Speaks the DevTools protocol (chromedevtools.github.io/devtools-protocol): to the browser, or to the tab of a session. */
async function connect(endpoint: URL) {
  const socket = new WebSocket(endpoint)
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new BrowserError(String(error.message)))
  })
  const gone = () => {
    for (const { reject } of waiting.values()) reject(new BrowserError('the connection ended'))
  }
  socket.addEventListener('close', gone)
  await once(socket, 'open')
  let last = 0
  return {
    call(method: string, params: object, sessionId?: string): Promise<unknown> {
      last += 1
      const id = last
      socket.send(JSON.stringify({ id, method, params, sessionId }))
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    close: () => socket.close(),
  }
}

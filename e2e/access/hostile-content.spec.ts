import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { packRelease } from '@sekisho/release/packing'
import { expect, test } from '../support/fixtures.ts'
import { type Product, startProduct } from '../support/product.ts'
import { loginButton, logoutButton, signIn, signInByPopup } from '../support/sign-in.ts'

test.describe.configure({ timeout: 600_000 })

/** First act of a hostile attachment's script: use of the reader's session. */
const ACT = (name: string) => `fetch('/__gate/session?ran=${name}')`

const FILES: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><html lang="ja"><title>添付ファイル | Sekisho</title>
<nav class="navbar">添付ファイル</nav><img src="/files/evil.svg" alt="">
<object data="/files/evil.svg"></object><embed src="/files/evil.svg"><iframe src="/files/evil.svg"></iframe>
<iframe src="/files/evil.xml"></iframe>
<img src="/none" alt="" onerror="${ACT('handler')}"><a href="javascript:${ACT('link')}">リンク</a></html>`,
  '404.html': '<!doctype html><title>見つかりません | Sekisho</title>',
  'work.html': `<!doctype html><html lang="ja"><title>作業</title><nav class="navbar">作業</nav><output></output><script>
const show = (data) => { document.querySelector('output').textContent = JSON.stringify(data) }
const register = () => navigator.serviceWorker.register('/work/worker.js').then(() => 'done', () => 'refused')
const read = (address) => fetch(address).then((answer) => answer.text(), () => 'refused')
new Worker('/work/worker.js').onmessage = async ({ data }) =>
  show({ ...data, 'data: read by the page': await read('data:text/plain,done'), 'service worker': await register() })
</script></html>`,
  'work/part.js': 'const part = "done"',
  'work/answer.json': '"done"',
  'work/worker.js': `const attempt = async (act) => { try { return await act() } catch { return 'refused' } }
const nested = () => new Promise((resolve, reject) => {
  const worker = new Worker(URL.createObjectURL(new Blob(['postMessage("done")'])))
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = reject
})
const acts = {
  'own file': () => fetch('/work/answer.json').then((answer) => answer.json()),
  'own script': () => { importScripts('/work/part.js'); return part },
  'WebAssembly': () => WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => 'done'),
  'data: read': () => fetch('data:text/plain,done').then((answer) => answer.text()),
  'data: run': () => { importScripts('data:text/javascript,self.ran="done"'); return ran },
  'text run': () => eval('"done"'),
  'blob run': nested,
  'another host': () => fetch('OTHER/', { mode: 'no-cors' }).then(() => 'done'),
  'script of another host': () => { importScripts('OTHER/script.js'); return 'done' },
}
const tried = Object.entries(acts).map(async ([name, act]) => [name, await attempt(act)])
Promise.all(tried).then((outcomes) => postMessage(Object.fromEntries(outcomes)))`,
  'files/evil.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${ACT('svg-load')}"><script>${ACT('svg')}</script><rect width="9" height="9"/></svg>`,
  'files/evil.xml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${ACT('xml')}</script></html>`,
  'files/evil.pdf': '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
  '__sekisho/site.json': JSON.stringify({
    format: 1,
    title: 'Sekisho',
    tagline: '技術ドキュメントポータル',
    lang: 'ja',
    baseUrl: '/',
    pages: [
      { path: '/', file: 'index.html', title: '添付ファイル | Sekisho' },
      { path: '/work', file: 'work.html', title: '作業' },
    ],
    redirects: [],
    notFound: '404.html',
  }),
}

/** Publishes a release whose attachments are all hostile, and whose worker asks another host. */
async function publishHostile(dataDir: string, other: string): Promise<void> {
  const buildDir = await mkdtemp(path.join(tmpdir(), 'sekisho-hostile-'))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(buildDir, name)), { recursive: true })
    await writeFile(path.join(buildDir, name), text.replaceAll('OTHER', other))
  }
  await packRelease({ buildDir, dataDir, clock: Date.now })
  await rm(buildDir, { recursive: true })
}

function collectActs(page: Page): string[] {
  const acts: string[] = []
  page.on('request', (request) => {
    const act = new URL(request.url()).searchParams.get('ran')
    if (act !== null) acts.push(act)
  })
  return acts
}

test.describe('attachments', () => {
  let product: Product
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Content-Type', 'text/javascript').end()
  })
  test.beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    product = await startProduct({ publish: (dataDir) => publishHostile(dataDir, other) })
  })
  test.afterAll(async () => {
    await product.stop()
    await new Promise((resolve) => server.close(resolve))
  })

  test('60 61 that are shown cannot script the portal, alone or inside a page, nor can links and handlers', async ({
    page,
  }) => {
    const acts = collectActs(page)
    await page.goto(`${product.origin}/`)
    await signIn(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'リンク' }).click()
    for (const name of ['evil.svg', 'evil.xml']) {
      const response = await page.goto(`${product.origin}/files/${name}`)
      expect(response?.status(), name).toBe(200)
      await page.waitForLoadState('networkidle')
    }
    expect(acts).toEqual([])

    // The same file without its policy does run: what is seen above is the policy.
    await page.route('**/files/evil.svg', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ body: await response.body(), contentType: 'image/svg+xml' })
    })
    await page.goto(`${product.origin}/files/evil.svg`)
    await expect.poll(() => acts).toContain('svg')
  })

  test('75 a worker does what its page may: own files and WebAssembly, no text as code and no other host', async ({
    page,
  }) => {
    await page.goto(`${product.origin}/work`)
    await signIn(page)
    await expect(page.locator('output')).not.toBeEmpty()
    const outcomes: unknown = JSON.parse(await page.locator('output').innerText())
    expect(outcomes).toEqual({
      'own file': 'done',
      'own script': 'done',
      WebAssembly: 'done',
      'data: read': 'done',
      'data: read by the page': 'done',
      'data: run': 'refused',
      'text run': 'refused',
      'blob run': 'refused',
      'another host': 'refused',
      'script of another host': 'refused',
      'service worker': 'refused',
    })
    expect(asked).toEqual([])
  })

  for (const name of ['evil.pdf']) {
    test(`60 ${name} is saved and never shown`, async ({ page }) => {
      const acts = collectActs(page)
      await page.goto(`${product.origin}/`)
      await signIn(page)
      const download = page.waitForEvent('download')
      await page.evaluate((address) => window.location.assign(address), `/files/${name}`)
      expect((await download).suggestedFilename()).toMatch(/^evil\./) // a browser may choose an ending for the type
      expect(new URL(page.url()).pathname).toBe('/')
      expect(acts).toEqual([])
    })
  }
})

/** Tries to load things of the portal in every way a page can; runs in the browser. */
async function tryLoads([origin, script]: readonly [string, string]): Promise<Record<string, string>> {
  const byElement = (element: HTMLElement, attribute: string, address: string) =>
    new Promise<string>((resolve) => {
      element.addEventListener('load', () => resolve('loaded'))
      element.addEventListener('error', () => resolve('refused'))
      element.setAttribute(attribute, origin + address)
      document.head.append(element)
    })
  const ask = (mode: RequestMode) =>
    fetch(`${origin}/docs/sekisho-overview`, { mode, credentials: 'include' }).then(
      () => 'loaded',
      () => 'refused',
    )
  return {
    image: await byElement(document.createElement('img'), 'src', '/img/logo.svg'),
    script: await byElement(document.createElement('script'), 'src', script),
    cors: await ask('cors'),
    'no-cors': await ask('no-cors'),
  }
}

test('34 another origin loads nothing of the portal, also one whose requests carry the session', async ({
  reader,
  product,
}) => {
  await reader.goto('/docs/sekisho-overview')
  const script = (await reader.locator('script[src^="/assets/js/"]').first().getAttribute('src')) ?? ''
  const everything = (word: string) => ({ image: word, script: word, cors: word, 'no-cors': word })
  expect(await reader.evaluate(tryLoads, ['', script] as const)).toEqual(everything('loaded'))

  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>elsewhere</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Another port of the same host is another origin of the same site: cookies travel. Another host is another site.
  for (const host of ['localhost', '127.0.0.1']) {
    await reader.goto(`http://${host}:${port}/`)
    const outcome = await reader.evaluate(tryLoads, [product.origin, script] as const)
    expect(outcome, host).toEqual(everything('refused'))
    await reader.evaluate((address) => {
      const frame = Object.assign(document.createElement('iframe'), { src: address })
      document.body.append(frame)
    }, `${product.origin}/docs/sekisho-overview`)
    await expect.poll(() => reader.frames().at(-1)?.url(), { message: host }).toMatch(/^chrome-error:/)
  }
  await new Promise((resolve) => server.close(resolve))
})

/** Collects every violation of a policy on any page of a browser context. */
async function collectViolations(context: BrowserContext): Promise<string[]> {
  const violations: string[] = []
  context.on('console', (message) => {
    if (message.text().startsWith('policy broken'))
      violations.push(`${message.page()?.url()} ${message.text()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy broken: ${violatedDirective} ${blockedURI}`),
    )
  })
  return violations
}

test('the login page, the account picker and signing in break no policy', async ({ page, context }) => {
  const violations = await collectViolations(context)
  await page.goto('/docs/sekisho-overview')
  await signInByPopup(page)
  await expect(logoutButton(page)).toBeVisible()
  await logoutButton(page).click()
  await expect(loginButton(page)).toBeVisible()
  expect(violations).toEqual([])
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))
  })
  await expect.poll(() => violations.join()).toContain('script-src')
})

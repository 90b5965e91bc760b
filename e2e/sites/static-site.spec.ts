import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { previewOrigin } from '@sekisho/contract/preview-host'
import { findBrowser } from '../support/browser.ts'
import { expect, LONG, test } from '../support/fixtures.ts'
import { type Product, startProduct } from '../support/product.ts'
import { ACCOUNTS, chooseAccount } from '../support/sign-in.ts'

test.describe.configure({ timeout: 300_000 })

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const BAR = '<script src="/__gate/bar.js" defer></script>'

const page = (title: string, main: string, more = '') =>
  `<!doctype html><html lang="ja"><meta name="viewport" content="width=device-width">${more}<title>${title} | 手引き</title>
<style>button, a, dialog { all: unset; color: red }</style>${BAR}<main><h1>${title}</h1>${main}</main></html>`

const FILES: Readonly<Record<string, string>> = {
  'index.html': page('はじめに', '<p>この手引きの目次です。</p>'),
  'setup/index.html': page(
    '環境構築',
    '<h2 id="proxy">プロキシの設定</h2><p>社内プロキシを通すときの手順です。</p>',
    '<meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2099-03-31">',
  ),
  'frame.html': page(
    '並べて見る',
    '<style>main { position: absolute; top: 0 }</style><iframe src="setup/" title="環境構築" width="300" height="200"></iframe>',
  ),
}

async function sekisho(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, ...env } }
  return (await promisify(execFile)(process.execPath, [SEKISHO, ...args], options)).stdout
}

/** Publishes a folder of HTML as its owner would. */
async function packFolder(dataDir: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sekisho-static-'))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  await sekisho(['pack', folder, '--data-dir', dataDir])
  await rm(folder, { recursive: true })
}

let product: Product
test.beforeAll(async () => {
  product = await startProduct({ publish: packFolder })
})
test.afterAll(() => product.stop())

async function openSignedIn(reader: Page): Promise<void> {
  await reader.goto(`${product.origin}/`)
  await chooseAccount(reader, ACCOUNTS.member)
  await expect(reader.getByRole('heading', { name: 'はじめに' })).toBeVisible()
}

test('a page without a theme of ours searches, and opens what it finds', async ({ page }) => {
  await openSignedIn(page)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: '検索' })
  await dialog.getByRole('searchbox').fill('プロキシの設定')
  await page.keyboard.press('Enter')
  await dialog.getByRole('link', { name: '環境構築' }).click()
  await expect(page).toHaveURL(`${product.origin}/setup/#proxy`)
})

test('pages show each other in frames', async ({ page }) => {
  await openSignedIn(page)
  await page.goto(`${product.origin}/frame.html`)
  await expect(page.frameLocator('iframe').getByRole('heading', { name: '環境構築' })).toBeVisible()
})

test('what is nowhere is said to be nowhere', async ({ page }) => {
  await openSignedIn(page)
  await page.getByRole('button', { name: '検索' }).click()
  await page.getByRole('searchbox').fill('ウォンバット')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('見つかりませんでした。')
  await page.getByRole('button', { name: '閉じる' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the account page says who is signed in, and signs out', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await openSignedIn(page)
  // A page waits for its notes only so long; the link is not under the bar.
  await expect(async () => {
    await page.reload()
    await page.getByRole('link', { name: '確認が必要なページ: 1 件' }).click({ trial: true, timeout: 2_000 })
  }).toPass()
  await page.getByRole('link', { name: 'アカウント（未確認 1）' }).click()
  await expect(page.getByText('hanako.sato@sekisho.example')).toBeVisible()
  await page.getByRole('button', { name: 'ログアウト', exact: true }).click()
  const answer = await page.goto(`${product.origin}/setup/`)
  expect(answer?.status()).toBe(401)
})

test('a session that ended while the page was open leads to the sign-in page', async ({ page, context }) => {
  await openSignedIn(page)
  await page.waitForLoadState('networkidle') // or a request under way finds the end before the click
  await context.clearCookies()
  await page.getByRole('button', { name: '検索' }).click()
  await page.getByRole('searchbox').fill('プロキシ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Login with Google' })).toBeVisible()
})

test('a folder is a preview too: its banner is at the lower edge whatever the layout, and in no frame', async ({
  page,
}) => {
  const at = ['--data-dir', product.dataDir]
  const created = await sekisho(['tokens', 'create', '--name', 'laptop', '--expires', '1d', ...at])
  const preview = ['--preview', 'pr-1', '--branch', 'topic', '--commit', '0123abc']
  await sekisho(['publish', '--to', product.origin, ...preview, ...at], {
    SEKISHO_PUBLISH_TOKEN: created.split('\n')[0],
  })
  const origin = previewOrigin('pr-1', new URL(product.origin))?.origin
  await page.goto(`${origin}/frame.html`)
  await chooseAccount(page, ACCOUNTS.member)
  await page.getByRole('button', { name: '開く', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/frame.html`)
  const banner = page.getByRole('complementary', { name: 'プレビュー' })
  await expect(banner).toContainText('topic')
  const box = await page.locator('[data-sekisho-notices]').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(page.viewportSize()?.height)
  await expect(async () => {
    const bar = await page.getByRole('link', { name: 'アカウント' }).boundingBox()
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThan(box?.y ?? 0)
  }).toPass()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { name: '環境構築' })).toBeVisible()
  await expect(frame.getByRole('complementary')).toHaveCount(0)
  await page.goto(`${origin}/setup/`)
  await page.getByRole('button', { name: '検索' }).click()
  await page.getByRole('searchbox').fill('目次')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'はじめに' }).click()
  await expect(page).toHaveURL(`${origin}/`)
})

/** Writes a browser without arguments of its own; returns its path. */
async function writeBrowser(root: string): Promise<string> {
  const { executablePath, args } = await findBrowser()
  const browser = path.join(root, 'chromium')
  await writeFile(browser, `#!/bin/sh\nexec '${executablePath}' ${args.join(' ')} "$@"\n`, { mode: 0o755 })
  return browser
}

test('pages are exported for an audit, as PDF too, and openssl verifies them', { tag: LONG }, async ({
  page,
}) => {
  test.skip(process.platform === 'win32', 'a shell script stands for the browser’s own name')
  await openSignedIn(page)
  await page.goto(`${product.origin}/setup/`)
  const root = await mkdtemp(path.join(tmpdir(), 'sekisho-export-'))
  try {
    const at = ['--data-dir', product.dataDir]
    const [id = ''] = /\d{8}T\d{6}Z-[0-9a-f]{8}/.exec(await sekisho(['releases', 'list', ...at])) ?? []
    const out = path.join(root, 'evidence')
    const env = { CHROME_PATH: await writeBrowser(root), SEKISHO_ALLOWED_DOMAINS: 'sekisho.example' }
    await sekisho(
      ['export', 'manual', '/setup/', '--release', id, '--as', 'default', '--out', out, ...at],
      env,
    )
    const read = (name: string) => readFile(path.join(out, name), 'utf8')
    const [, commands = ''] = /```sh\n([^`]*)```/.exec(await read('VERIFY.md')) ?? []
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { cwd: out })
    expect(stdout).toContain('pages/001.pdf: OK')
    expect(await read('pages/001.pdf')).toMatch(/^%PDF-/)
    expect(await read('audit.jsonl')).toContain('"path":"/setup/"')
    expect(await read('access.csv')).toContain('hanako.sato@sekisho.example')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const file = pathToFileURL(path.join(out, 'pages', '001.html')).href
    await page.goto(file)
    await expect(page.getByRole('heading', { name: '環境構築' })).toBeVisible()
    expect(requests).toEqual([file])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

test('what scripts ask for while they run is listed by a check in a browser', { tag: LONG }, async () => {
  test.skip(process.platform === 'win32', 'a shell script stands for the browser’s own name')
  const root = await mkdtemp(path.join(tmpdir(), 'sekisho-check-'))
  try {
    const browser = await writeBrowser(root)
    const script =
      "fetch('https://api.example/stars'); new Image().src = 'https://pictures.example/a.png'; new Function('1')()"
    await mkdir(path.join(root, 'site'))
    await writeFile(path.join(root, 'site', 'app.js'), script)
    const html = `${page('星', '<p>星の数</p>')}<script src="/app.js"></script>`
    await writeFile(path.join(root, 'site', 'index.html'), html)
    const data = ['--data-dir', path.join(root, 'data')]
    const packed = await sekisho(['pack', path.join(root, 'site'), ...data])
    expect(packed, 'no page names them').not.toContain('example')
    const check = (grants: string) => {
      const env = { CHROME_PATH: browser, SEKISHO_CSP_ALLOW: grants, LANG: 'ja_JP.UTF-8' }
      return sekisho(['check', '--browser', ...data], env).catch((error: { stdout: string }) => error.stdout)
    }
    const found = await check('')
    expect(found).toContain(
      'SEKISHO_CSP_ALLOW="img https://pictures.example; script eval; connect https://api.example"',
    )
    const granted = await check('connect https://api.example; script eval')
    expect(granted).toContain('img https://pictures.example（/）')
    expect(granted).toContain('止められたものは 1 種類です')
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

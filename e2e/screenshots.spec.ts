import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, type Page, test } from '@playwright/test'
import { LONG } from './support/fixtures.ts'
import { startProduct } from './support/product.ts'
import { ACCOUNTS, chooseAccount, loginButton } from './support/sign-in.ts'

/** Folder for the tour's pictures, relative to the repository: `SCREENSHOTS=images npm run e2e -- screenshots`. Unset, views are only visited. */
const FOLDER = process.env.SCREENSHOTS

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SEKISHO = path.join(ROOT, 'packages', 'sekisho', 'bin', 'sekisho.mjs')
const READERS = {
  domains: ['sekisho.example'],
  groups: { operators: ['ichiro.suzuki@sekisho.example'] },
  viewingAs: ['operators'],
}

interface Portal {
  readonly env?: Readonly<Record<string, string>>
  readonly publish?: (dataDir: string) => Promise<void>
  readonly page: string
  readonly heading: string
  readonly query: string
  readonly found: RegExp
  readonly consent: string
  readonly account: string
  readonly viewAs: RegExp
  readonly viewing: RegExp
}

const PORTALS: Readonly<Record<'ja' | 'en', Portal>> = {
  ja: {
    page: '/docs/environment-setup',
    heading: '環境構築',
    query: '環境構築',
    found: /環境構築/,
    consent: 'エージェントに読むことを許可しますか',
    account: 'アカウント',
    viewAs: /として見る$/,
    viewing: /の読者として見ています/,
  },
  en: {
    env: {
      SEKISHO_LOGIN_LANG: 'en',
      SEKISHO_TITLE: 'Handbook',
      SEKISHO_TAGLINE: 'Engineering documentation',
    },
    publish: packEnglish,
    page: '/onboarding/',
    heading: 'First week',
    query: 'expense report',
    found: /Expenses/,
    consent: 'Let an agent read?',
    account: 'Account',
    viewAs: /^View as/,
    viewing: /You see the portal as readers/,
  },
}

const STYLE = `<style>body { display: grid; grid-template: auto 1fr / 15rem 1fr; margin: 0; min-height: 100vh; font: 1rem/1.8 system-ui, sans-serif; color: #1c2430 }
header { grid-column: 1 / 3; padding: .75rem 2rem; border-bottom: 1px solid #dbe0e6; font-weight: 600 } nav { display: grid; align-content: start; gap: .5rem; padding: 1.5rem 2rem; border-right: 1px solid #dbe0e6 }
main { max-width: 42rem; padding: 1rem 3rem 4rem } a { color: #0b57d0; text-decoration: none } h1 { line-height: 1.3 } h2 { margin-top: 2rem; line-height: 1.3 }</style>`
const LINKS =
  '<header>Handbook</header><nav><a href="/">Overview</a><a href="/onboarding/">First week</a><a href="/expenses/">Expenses</a></nav>'
const PAGES: Readonly<Record<string, readonly [title: string, body: string]>> = {
  'index.html': ['Handbook', '<p>How we work: the first week, expenses, incidents.</p>'],
  'onboarding/index.html': [
    'First week',
    '<p>Your laptop is set up on the first day. Ask your team for access to its repositories.</p><h2 id="environment">Development environment</h2><p>Clone the repository, install Node, and run the tests once. Behind the company proxy, set <code>HTTPS_PROXY</code> first.</p><h2 id="people">People to meet</h2><p>Your mentor, the on-call engineer of the week, and a colleague from support.</p>',
  ],
  'expenses/index.html': [
    'Expenses',
    '<p>Hand in an expense report by the fifth working day of the next month. Receipts may be photographs.</p><h2 id="travel">Travel</h2><p>Trains are booked by yourself; flights need approval before booking. Add the approval to the expense report.</p>',
  ],
  'on-call/index.html': ['On call', '<p>Phone numbers and what to do at night.</p>'],
}

async function packEnglish(dataDir: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sekisho-screens-'))
  for (const [file, [title, body]] of Object.entries(PAGES)) {
    const place = path.join(folder, 'site', file)
    await mkdir(path.dirname(place), { recursive: true })
    await writeFile(
      place,
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} | Handbook</title>${STYLE}${LINKS}<main><h1>${title}</h1>${body}</main></html>`,
    )
  }
  const editions = [
    { name: 'operators', audiences: ['operators'] },
    { name: 'everyone', audiences: [] },
  ]
  await writeFile(
    path.join(folder, 'sekisho.editions.json'),
    JSON.stringify({ editions, paths: { 'on-call/**': 'operators' } }),
  )
  const args = [SEKISHO, 'pack', 'site', '--title', 'Handbook', '--bar', '--data-dir', dataDir]
  await promisify(execFile)(process.execPath, args, { cwd: folder })
  await rm(folder, { recursive: true })
}

/** Address of the consent page of a client that every gate knows. */
function consentAddress(origin: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    redirect_uri: 'http://localhost:3118/callback',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state-1',
    resource: `${origin}/mcp`,
  })
  return `${origin}/oauth/authorize?${query}`
}

async function keep(page: Page, language: string, view: string): Promise<void> {
  if (FOLDER === undefined) return
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(500) // transitions
  await page.screenshot({ path: path.join(ROOT, FOLDER, language, `${view}.jpg`), quality: 80 })
}

test.use({ viewport: { width: 1120, height: 700 } })

for (const language of ['ja', 'en'] as const) {
  test.describe(language, { tag: LONG }, () => {
    test.use({ locale: language === 'ja' ? 'ja-JP' : 'en-GB' })

    test(`shows login, portal, search, consent, account and another reader's view (${language})`, async ({
      page,
    }) => {
      const portal = PORTALS[language]
      const readers = path.join(await mkdtemp(path.join(tmpdir(), 'sekisho-readers-')), 'readers.json')
      await writeFile(readers, JSON.stringify(READERS))
      const env = { ...portal.env, SEKISHO_POLICY_FILE: readers }
      const product = await startProduct({ env, ...(portal.publish && { publish: portal.publish }) })
      try {
        await page.goto(product.origin + portal.page)
        await expect(loginButton(page)).toBeVisible()
        await keep(page, language, 'login')

        await chooseAccount(page, ACCOUNTS.secondMember)
        await expect(page.getByRole('heading', { level: 1, name: portal.heading })).toBeVisible()
        await keep(page, language, 'portal')

        const dialog = page.getByRole('dialog')
        // A key pressed before the page's first script has run opens nothing.
        await expect(async () => {
          await page.keyboard.press('Control+k')
          await expect(dialog).toBeVisible({ timeout: 1_000 })
        }).toPass()
        await dialog.getByRole('combobox').or(dialog.getByRole('searchbox')).fill(portal.query)
        if (language === 'en') await page.keyboard.press('Enter') // the bar searches on request
        const results = dialog.getByRole('option').or(dialog.getByRole('link'))
        await expect(results.filter({ hasText: portal.found }).first()).toBeVisible()
        await keep(page, language, 'search')

        await page.goto(consentAddress(product.origin))
        await expect(page.getByRole('heading', { name: portal.consent })).toBeVisible()
        await keep(page, language, 'agent')

        await page.goto(`${product.origin}/__gate/account`)
        await expect(page.getByRole('heading', { level: 1, name: portal.account })).toBeVisible()
        await keep(page, language, 'account')

        await page.getByRole('button', { name: portal.viewAs }).first().click()
        await expect(page.getByText(portal.viewing).first()).toBeVisible()
        await page.goto(product.origin + portal.page)
        await expect(page.getByText(portal.viewing).first()).toBeVisible()
        await keep(page, language, 'viewing-as')
      } finally {
        await product.stop()
        await rm(path.dirname(readers), { recursive: true })
      }
    })
  })
}

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { signIn } from '../support/sign-in.ts'

test.describe('the tools of a page', () => {
  test('say whether it was helpful, which the report shows without a name', async ({ reader, product }) => {
    await openPage(reader, '/docs/environment-setup')
    const tools = reader.getByRole('region', { name: 'このページについて' })
    const entry = tools.getByRole('group', { name: 'このページは役に立ちましたか' })
    await entry.getByRole('button', { name: 'いいえ' }).click()
    await tools.getByRole('textbox', { name: /一言/ }).fill('Windows の手順がほしい')
    await tools.getByRole('button', { name: '送信する' }).click()
    await expect(tools.getByRole('status')).toHaveText('ありがとうございました。')
    await expect(entry).toHaveCount(0)
    const folder = path.join(product.dataDir, 'feedback')
    const [file = ''] = await readdir(folder)
    const kept = (await readFile(path.join(folder, file), 'utf8')).trimEnd().split('\n')
    expect(kept.map((line) => JSON.parse(line))).toContainEqual({
      page: '/docs/environment-setup',
      helpful: false,
      comment: 'Windows の手順がほしい',
      release: expect.any(String),
    })
  })

  test('keep what was written while it cannot be sent, and over the end of the session', async ({
    reader,
    context,
  }) => {
    await openPage(reader, '/docs/environment-setup')
    const tools = reader.getByRole('region', { name: 'このページについて' })
    await tools.getByRole('button', { name: 'いいえ' }).click()
    const field = tools.getByRole('textbox', { name: /一言/ })
    await field.fill('手順が一つ抜けています')
    await reader.route('**/__gate/feedback', (route) => route.abort())
    await tools.getByRole('button', { name: '送信する' }).click()
    await expect(tools.getByRole('status')).toContainText('送信できませんでした')
    await expect(field).toHaveValue('手順が一つ抜けています')
    await reader.unroute('**/__gate/feedback')
    await reader.route('**/__gate/session', (route) => route.abort()) // else the tab may notice first, and ask to sign in
    await context.clearCookies()
    await tools.getByRole('button', { name: '送信する' }).click()
    await expect(tools.getByRole('status')).toContainText('ログインが切れている')
    await expect(field).toHaveValue('手順が一つ抜けています')
    await reader.unroute('**/__gate/session')
    await reader.reload()
    await signIn(reader)
    await expect(field).toHaveValue('手順が一つ抜けています')
    await tools.getByRole('button', { name: '送信する' }).click()
    await expect(tools.getByRole('status')).toHaveText('ありがとうございました。')
  })

  test('copy it as the Markdown that stands beside it, and the address of a heading', async ({
    reader,
    context,
    product,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPage(reader, '/docs/sekisho-base/')
    const tools = reader.getByRole('region', { name: 'このページについて' })
    await tools.getByRole('button', { name: 'Markdown をコピー' }).click()
    await expect(tools.getByRole('status')).toHaveText('Markdown をコピーしました')
    const copied = await reader.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^---\ntitle: "読み書きの基本"\n[\s\S]*\n---\n\n# 読み書きの基本\n/)
    expect(copied).toContain('```bash\n')
    const address = await tools.getByRole('link', { name: 'Markdown を開く' }).getAttribute('href')
    expect(address).toBe('/docs/sekisho-base.md')
    const answer = await reader.request.get(`${address}`)
    expect(answer.headers()['content-type']).toBe('text/markdown; charset=utf-8')
    expect(await answer.text()).toBe(copied)
    const stranger = await fetch(`${product.origin}${address}`)
    expect(stranger.status).toBe(401)
    const heading = reader.getByRole('heading', { level: 2, name: /^表/ }).first()
    await heading.hover()
    await heading.getByRole('link').click()
    await expect(tools.getByRole('status')).toHaveText('見出しの URL をコピーしました')
    expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(reader.url())
  })

  test('are at its head as well, behind one button, and give the page to an agent', async ({
    reader,
    context,
    product,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPage(reader, '/docs/staging-env')
    const menu = reader.locator('summary[aria-label="このページの操作"]')
    await menu.press('Enter')
    const panel = reader.locator('.sekisho-head-menu__panel')
    await panel.getByRole('button', { name: 'Markdown をコピー' }).click()
    await expect(panel.getByRole('status')).toHaveText('Markdown をコピーしました')
    expect(await reader.evaluate(() => navigator.clipboard.readText())).toContain('```mermaid\n')
    await reader.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(menu).toBeFocused()
    const tools = reader.getByRole('region', { name: 'このページについて' })
    await tools.getByRole('button', { name: 'エージェントに渡す' }).click()
    await tools.getByRole('button', { name: 'Claude Code のコマンドをコピー' }).click()
    await expect(tools.getByRole('status')).toHaveText('コマンドをコピーしました')
    const command = await reader.evaluate(() => navigator.clipboard.readText())
    expect(command).toMatch(/^claude mcp add --transport http [a-z0-9-]+ /)
    expect(command.endsWith(` ${product.origin}/mcp`)).toBe(true)
    for (const [name, scheme] of [
      ['Cursor に追加', 'cursor://anysphere.cursor-deeplink/mcp/install?'],
      ['VS Code に追加', 'vscode:mcp/install?'],
    ] as const) {
      const href = (await tools.getByRole('link', { name }).getAttribute('href')) ?? ''
      expect(href.startsWith(scheme)).toBe(true)
    }
  })

  test('follow the reader to the next page, once, and to none that only lists others', async ({ reader }) => {
    await openPage(reader, '/docs/github/branch-rule')
    const tools = reader.getByRole('region', { name: 'このページについて' })
    await expect(tools).toHaveCount(1)
    await reader.getByRole('link', { name: /^次へ/ }).click()
    await expect(reader).not.toHaveURL(/branch-rule/)
    const address = new URL(reader.url()).pathname.replace(/\/$/, '')
    await expect(tools.getByRole('link', { name: 'Markdown を開く' })).toHaveAttribute(
      'href',
      `${address}.md`,
    )
    await expect(tools).toHaveCount(1)
    await openPage(reader, '/docs/category/github')
    await reader.waitForLoadState('networkidle')
    await expect(tools).toHaveCount(0)
    await expect(reader.locator('.sekisho-head-menu')).toHaveCount(0)
  })

  test('enlarge a picture, by keyboard too, and on a phone, where it scrolls under its close button', async ({
    reader,
  }) => {
    await openPage(reader, '/docs/sekisho-base/')
    await reader.getByAltText(/カーテンとゲートの違い/).scrollIntoViewIfNeeded()
    const picture = reader.getByRole('button', { name: /カーテンとゲートの違い.*拡大する/ })
    await picture.press('Enter')
    const dialog = reader.getByRole('dialog', { name: /カーテンとゲートの違い/ })
    await expect(dialog.getByRole('img')).toBeVisible()
    await reader.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(picture).toBeFocused()
    await picture.click()
    await dialog.getByRole('button', { name: '閉じる' }).click()
    await expect(dialog).toHaveCount(0)

    await reader.setViewportSize({ width: 390, height: 844 })
    const before = (await picture.boundingBox())?.width ?? 0
    await picture.press('Enter')
    const after = (await dialog.getByRole('img').boundingBox())?.width ?? 0
    expect(after).toBeGreaterThan(before * 1.5)
    await dialog.evaluate((element) => element.scrollTo({ left: 400, behavior: 'instant' }))
    await expect(dialog.getByRole('button', { name: '閉じる' })).toBeInViewport({ ratio: 1 })
  })
})

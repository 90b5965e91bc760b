import { fileURLToPath } from 'node:url'
import { ROUTES } from '@sekisho/contract/routes'
import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { startProduct } from '../support/product.ts'
import { ACCOUNTS, signIn } from '../support/sign-in.ts'

test.use({ bypassCSP: true }) // for axe

test('a reader asks for mail about a folder on the account page, and ends it', async ({ page }) => {
  const env = {
    ...{ SEKISHO_NOTICES_SMTP: 'smtp://127.0.0.1:9', SEKISHO_NOTICES_PRIVATE_HOSTS: '127.0.0.1' },
    SEKISHO_NOTICES_FROM: 'portal@sekisho.example',
    SEKISHO_POLICY_FILE: fileURLToPath(new URL('../../site/readers.local.json', import.meta.url)),
  }
  const product = await startProduct({ env })
  try {
    await page.goto(`${product.origin}/markdown-page`)
    await signIn(page, ACCOUNTS.secondMember)
    await page.goto(product.origin + ROUTES.account.path)
    await page.getByLabel('フォルダー').selectOption('/docs/')
    await page.getByRole('button', { name: 'このフォルダーの更新を受け取る' }).click()
    const end = page.getByRole('button', { name: '解除する: /docs/' })
    await expect(end).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await end.click()
    await expect(end).toHaveCount(0)
    await page.getByRole('link', { name: 'あなたについて記録するもの' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: '5 人未満' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.goto(product.origin + ROUTES.owned.path)
    await expect(page.getByRole('heading', { name: '週ごとの読者' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: '確認済み 0 人' })).toContainText(
      'プロジェクト運用規約',
    )
    expect(await axeFindings(page)).toEqual([])
  } finally {
    await product.stop()
  }
})

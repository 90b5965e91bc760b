import { ROUTES } from '@sekisho/contract/routes'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

const POLICY = '/docs/github/project-rule'
const STATEMENT = 'プロジェクト運用規約を読み、内容を確認しました。'

test('a reader acknowledges a policy once, after following a link to it', async ({ reader }) => {
  await reader.goto(ROUTES.account.path)
  await reader.getByRole('link', { name: 'プロジェクト運用規約' }).click()
  await expect(async () => {
    await openPage(reader, '/docs/github/commit-rule')
    await expect(reader.getByRole('link', { name: /未確認 \d+/ })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await reader.locator('.menu').getByRole('link', { name: 'プロジェクト', exact: true }).click()
  const notes = reader.locator('article').getByRole('region', { name: '担当と確認' })
  await expect(notes).toContainText('担当: プラットフォームチーム')
  await expect(notes).toContainText(STATEMENT)
  await notes.getByRole('button', { name: '確認したことを記録する' }).click()
  await expect(reader).toHaveURL(new RegExp(`${POLICY}#`))
  await expect(notes).toContainText('確認済み')
  await openPage(reader, '/docs/github/commit-rule')
  await expect(reader.getByRole('link', { name: '未確認' })).toHaveCount(0)
  await reader.goto(ROUTES.account.path)
  await expect(reader.getByRole('link', { name: 'プロジェクト運用規約' })).toHaveCount(0)
})

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { chosen, countMarks, openSearch, searchDialog, searchField } from '../support/search.ts'

test('a page of its own shows all results at its address', async ({ reader }) => {
  await reader.goto(`/search?${new URLSearchParams({ q: '検索の使い方', section: 'docs' })}`)
  await expect(reader.getByRole('searchbox')).toHaveValue('検索の使い方')
  const first = reader.locator('.sekisho-search-page__pages h2').first()
  await expect(first).toHaveText('検索の使い方')
  await expect(reader).toHaveTitle('「検索の使い方」の検索結果 | Sekisho')
  await expect(reader.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  await reader.getByRole('searchbox').fill('ブランチ')
  await expect(first).toHaveText('ブランチ運用規約')
  expect(new URL(reader.url()).searchParams.get('q')).toBe('ブランチ')
  await first.getByRole('link').click()
  await expect(reader).toHaveURL(/branch-rule/)
  await expect.poll(() => countMarks(reader)).toBeGreaterThan(0)
  await reader.goBack()
  await expect(first).toHaveText('ブランチ運用規約')
})

test('a query that is too long is refused by the API, and shown for its beginning by the page', async ({
  reader,
}) => {
  const q = `検索${' ページ'.repeat(150)}`
  const ask = (asked: string) => reader.request.get(`/__gate/search?${new URLSearchParams({ q: asked })}`)
  expect((await ask(q)).status()).toBe(400)
  expect((await ask(q.slice(0, 500))).status()).toBe(200)
  await reader.goto(`/search?${new URLSearchParams({ q })}`)
  await expect(reader.locator('.sekisho-search-page__pages h2').first()).toBeVisible()
  expect(reader.url().length).toBeLessThan(5_000)
})

test('the field on the landing page opens the same search, which leads to all results', async ({
  reader,
}) => {
  await openPage(reader, '/')
  await reader.getByRole('main').getByRole('button', { name: '検索を開く' }).click()
  await searchField(reader).fill('セッション')
  await expect(chosen(reader)).toBeVisible()
  await searchDialog(reader).getByRole('button', { name: 'すべての結果を見る' }).click()
  await expect(reader).toHaveURL(/\/search\?q=/)
  await expect(reader.locator('.sekisho-search-page__pages h2').first()).toBeVisible()
})

test('what was searched is reported without saying by whom', async ({ reader, product }) => {
  const field = await openSearch(reader)
  await field.fill('リリースの切り戻し')
  await expect(chosen(reader)).toBeVisible()
  await reader.keyboard.press('Enter')
  await expect(searchDialog(reader)).toHaveCount(0)

  const sekisho = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
  const report = async (): Promise<string> => {
    const args = [sekisho, 'search-report', '--limit', '500', '--data-dir', product.dataDir]
    return (await promisify(execFile)(process.execPath, args)).stdout
  }
  await expect.poll(report).toMatch(/Most searched\n(?:.*\n)* +1 {2}リリースの切り戻し\n/)
  const folder = path.join(product.dataDir, 'search-log')
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  expect(texts.join()).not.toMatch(/@|佐藤|\d\d:\d\d/)
})

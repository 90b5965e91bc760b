import { startTestModel, type TestModel } from '@sekisho/server/testing'
import { test as base, expect } from '../support/fixtures.ts'
import { type Product, startProduct } from '../support/product.ts'
import { chosen, openSearch, options, searchDialog } from '../support/search.ts'

/** A portal that answers questions, by a stand-in that returns its prompt: no sentence of it has a source. */
const test = base.extend<object, { readonly model: TestModel; readonly product: Product }>({
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
    async ({}, use) => {
      await using model = await startTestModel()
      await use(model)
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ model }, use) => {
      const env = { SEKISHO_ANSWERS_URL: model.url, SEKISHO_ANSWERS_MODEL: 'stand-in' }
      const product = await startProduct({ env })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

const QUESTION = 'ブランチの名前はどう付ければよいですか'

test('a sentence can be asked from the first line; Enter still opens the first page', async ({
  reader,
  model,
}) => {
  const field = await openSearch(reader)
  await field.fill('ブランチ')
  await expect(chosen(reader)).toBeVisible()
  await expect(options(reader).filter({ hasText: '質問する' })).toHaveCount(0)
  await field.fill(QUESTION)
  await expect(options(reader).first()).toContainText(`質問する`)
  await expect(options(reader).first()).toContainText(QUESTION)
  await expect(options(reader).first()).toHaveAttribute('aria-selected', 'false')
  await expect(chosen(reader)).toHaveCount(1)
  await reader.keyboard.press('ArrowUp')
  await expect(options(reader).first()).toHaveAttribute('aria-selected', 'true')
  await reader.keyboard.press('Enter')
  await expect(reader).toHaveURL(/\/__gate\/ask\?q=/)
  await expect(reader.getByText(QUESTION, { exact: true })).toBeVisible()
  await expect(reader.getByText('質問の答えが見つかりませんでした')).toBeVisible()
  expect(model.prompts.at(-1)).toContain(QUESTION)
})

test('Ctrl+Enter asks with what is typed, wherever the focus is in the dialog', async ({ reader }) => {
  const field = await openSearch(reader)
  await field.fill('ブランチ')
  await expect(chosen(reader)).toBeVisible()
  await searchDialog(reader).getByRole('button', { name: 'Blog' }).focus()
  await reader.keyboard.press('Control+Enter')
  await expect(reader).toHaveURL(
    /\/__gate\/ask\?q=%E3%83%96%E3%83%A9%E3%83%B3%E3%83%81&page=%2Fdocs%2Fsekisho-overview/,
  )
})

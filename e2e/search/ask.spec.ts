import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { promptText, startTestModel, streamText, type TestModel } from '@sekisho/server/testing'
import { axeFindings } from '../support/axe.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
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

const ASK = '/__gate/ask'
const NAMING = '要約は英小文字とハイフンで、3～5 語にまとめます。'
const DELETED = 'マージしたブランチは、その場で削除します。'

/** The line of a model for a sentence that one of the sections has, or that none has. */
function lineOf(prompt: string, text: string, quote = text): string {
  const sections = promptText(prompt).split(/^SECTION /m)
  const s = Number.parseInt(sections.find((section) => section.includes(quote)) ?? '1', 10)
  return `${JSON.stringify({ text, cites: [{ s, quote }] })}\n`
}
const isRewriting = (prompt: string) => !prompt.includes('SECTION')

/** Begins a stream with a text, which is not ended. */
function beginText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`)
}

/** Answers with these sentences at once. */
function says(model: TestModel, ...texts: readonly string[]): void {
  model.reply = (response, prompt) =>
    streamText(
      response,
      isRewriting(prompt)
        ? '{"queries":["ブランチ 命名"]}'
        : texts.map((text) => lineOf(prompt, text)).join(''),
    )
}

/** Answers with the first sentence, and with the second when told to; never ends where it is not. */
function saysSlowly(model: TestModel): { readonly goOn: () => void } {
  let goOn = () => {}
  model.reply = (response, prompt) => {
    if (isRewriting(prompt)) return streamText(response, '{"queries":[]}')
    beginText(response, lineOf(prompt, NAMING))
    goOn = () => {
      response.write(
        `data: ${JSON.stringify({ choices: [{ delta: { content: lineOf(prompt, DELETED) } }] })}\n\n`,
      )
      response.end('data: [DONE]\n\n')
    }
  }
  return { goOn: () => goOn() }
}

const askField = (page: Page) => page.getByRole('textbox', { name: '質問' })
const askButton = (page: Page) => page.getByRole('button', { name: '質問する' })
const stopButton = (page: Page) => page.getByRole('button', { name: '停止' })
async function ask(page: Page, question: string): Promise<void> {
  await askField(page).fill(question)
  await askButton(page).click()
}

const IN_OTHER_WORDS = '作業の足跡はどんな文で残せばよいですか'

test('pages for other words come below the results, which stay as they were', async ({ reader, model }) => {
  model.reply = (response, prompt) =>
    streamText(response, JSON.stringify({ queries: isRewriting(prompt) ? ['コミットメッセージ 形式'] : [] }))
  const field = await openSearch(reader)
  await field.fill(IN_OTHER_WORDS)
  const block = searchDialog(reader).getByRole('group', { name: '言い換えると: コミットメッセージ 形式' })
  await expect(block.getByRole('option').first()).toContainText('コミット規約')
  await expect(block).toBeVisible()
  await expect(searchDialog(reader).getByRole('group').last()).toHaveAccessibleName(/^言い換えると/)
  await expect(block.locator('[aria-selected="true"]')).toHaveCount(0)
  expect(model.prompts.at(-1)).toContain(IN_OTHER_WORDS)
  expect(model.prompts.at(-1)).not.toContain('SECTION')
  const asked = model.prompts.length
  await field.fill('ブランチ')
  await expect(chosen(reader)).toBeVisible()
  await expect(block).toHaveCount(0)
  expect(model.prompts).toHaveLength(asked)
})

test.describe('the page that asks', () => {
  test('a sentence is shown before the next has come; sources follow, and lead to the page', async ({
    reader,
    model,
  }) => {
    const slowly = saysSlowly(model)
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByText(NAMING)).toBeVisible()
    await expect(stopButton(reader)).toBeVisible()
    await expect(reader.getByText(DELETED)).toHaveCount(0)
    await expect(reader.getByRole('heading', { name: '出典' })).toHaveCount(0)
    slowly.goOn()
    await expect(reader.getByText(DELETED)).toBeVisible()
    await expect(reader.getByRole('heading', { name: '出典' })).toBeVisible()
    await expect(stopButton(reader)).toBeHidden()
    await reader.getByRole('link', { name: 'ブランチ運用規約' }).first().click()
    await expect(reader).toHaveURL(/\/docs\/github\/branch-rule/)
  })

  test('a sentence without a source is not shown, and the answer says that', async ({ reader, model }) => {
    says(model, NAMING, 'ブランチの名前は 99 文字までです。')
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByText('出典で確認できなかった 1 文は、表示していません。')).toBeVisible()
    await expect(reader.getByText('99 文字')).toHaveCount(0)
  })

  test('a stopped answer keeps its sentences, and the model is left', async ({ reader, model }) => {
    saysSlowly(model)
    const left = model.left()
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByText(NAMING)).toBeVisible()
    await stopButton(reader).click()
    await expect(reader.getByText('回答を停止しました。')).toBeVisible()
    await expect(reader.getByText(NAMING)).toBeVisible()
    await expect.poll(model.left).toBe(left + 1)
    await expect(askButton(reader)).toBeEnabled()
  })

  test('a reader who goes to another page leaves the model', async ({ reader, model }) => {
    saysSlowly(model)
    const left = model.left()
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByText(NAMING)).toBeVisible()
    await reader.getByRole('link', { name: '検索' }).click()
    await expect(reader).toHaveURL(/\/__gate\/search-page/)
    await expect.poll(model.left).toBe(left + 1)
  })

  test('a follow-up goes with the question before it, and without its answer', async ({ reader, model }) => {
    says(model, NAMING)
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByRole('heading', { name: '出典' })).toHaveCount(1)
    says(model, DELETED)
    await ask(reader, 'マージしたあとはどうすればよいですか')
    await expect(reader.getByText(DELETED)).toBeVisible()
    await expect(reader.getByText(NAMING)).toBeVisible()
    const content = promptText(model.prompts.at(-1) ?? '')
    expect(content).toContain(`EARLIER QUESTIONS: ${JSON.stringify([QUESTION])}`)
  })

  test('the next question can be typed while an answer comes', async ({ reader, model }) => {
    const slowly = saysSlowly(model)
    await reader.goto(ASK)
    await ask(reader, QUESTION)
    await expect(reader.getByText(NAMING)).toBeVisible()
    await askField(reader).fill('マージしたあとは')
    slowly.goOn()
    await expect(stopButton(reader)).toBeHidden()
    await expect(askField(reader)).toHaveValue('マージしたあとは')
  })

  test('without a connection the question is kept, and can be asked when the line is back', async ({
    reader,
    model,
    context,
  }) => {
    says(model, NAMING)
    await reader.goto(ASK)
    await expect(askButton(reader)).toBeVisible()
    await context.setOffline(true)
    await ask(reader, QUESTION)
    await expect(reader.getByText('ポータルに接続できません。')).toBeVisible()
    await expect(askField(reader)).toHaveValue(QUESTION)
    await context.setOffline(false)
    await askButton(reader).click()
    await expect(reader.getByText(NAMING)).toBeVisible()
    await expect(askField(reader)).toHaveValue('')
  })

  test('on a slow line the answer comes too', async ({ reader, model, context }) => {
    says(model, NAMING, DELETED)
    await reader.goto(ASK)
    await expect(askButton(reader)).toBeVisible()
    const line = await context.newCDPSession(reader)
    await line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 2_000, downloadThroughput: 2_000, uploadThroughput: 2_000 },
    })
    await ask(reader, QUESTION)
    await expect(reader.getByText('ページを読んでいます…')).toBeVisible()
    await expect(reader.getByText(DELETED)).toBeVisible()
  })

  test('without scripts the form is answered too', async ({ browser, product, readerCookies, model }) => {
    says(model, NAMING)
    const context = await browser.newContext({ baseURL: product.origin, javaScriptEnabled: false })
    await context.addCookies(readerCookies)
    const page = await context.newPage()
    await page.goto(ASK)
    await ask(page, QUESTION)
    await expect(page.getByText(NAMING)).toBeVisible()
    await context.close()
  })
})

test.describe('an answer has no finding of axe', () => {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const)
    test(`${colorScheme}, ${width} px`, async ({ reader, model }) => {
      says(model, NAMING, DELETED, 'ブランチの名前は 99 文字までです。')
      await reader.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await reader.setViewportSize({ width, height: 900 })
      await reader.goto(ASK)
      await ask(reader, QUESTION)
      await expect(reader.getByRole('heading', { name: '出典' })).toBeVisible()
      expect(await axeFindings(reader)).toEqual([])
      const overflow = await reader.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  test('in the panel above a page', async ({ reader, model }) => {
    says(model, NAMING, DELETED)
    await reader.emulateMedia({ reducedMotion: 'reduce' })
    await openPage(reader, '/docs/sekisho-overview')
    await reader.evaluate(
      ([address, question]) => import(address).then(({ openAsk }) => openAsk({ question })),
      [`${ASK}.js`, QUESTION] as const,
    )
    await expect(reader.getByRole('heading', { name: '出典' })).toBeVisible()
    expect(await axeFindings(reader)).toEqual([])
    await reader.keyboard.press('Escape')
    await expect(reader.getByRole('dialog', { name: '質問' })).toHaveCount(0)
  })
})

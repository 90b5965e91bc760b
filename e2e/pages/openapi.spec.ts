import { expect, test } from '../support/fixtures.ts'
import { navbarLink, openPage, sidebarLink } from '../support/open-page.ts'

test('an API reference is made from the OpenAPI file, in Japanese, in the colours of the portal', async ({
  reader,
}) => {
  const complaints: string[] = []
  reader.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await openPage(reader, '/docs/sekisho-overview')
  await sidebarLink(reader, 'API リファレンス').click()
  await expect(reader.locator('article h1')).toHaveText('ゲートの API')
  await expect(navbarLink(reader, 'Docs')).toHaveClass(/navbar__link--active/)
  await reader.locator('article').getByRole('link', { name: 'ページを検索する' }).click()
  await expect(reader.locator('article h1')).toHaveText('ページを検索する')
  for (const name of [/^クエリパラメーター/, /^実行例/, /^レスポンス/])
    await expect(reader.getByRole('heading', { name })).toBeVisible()
  await expect(reader.locator('.language-http').first()).toContainText('GET /__gate/search')
  await expect(reader.locator('.language-bash').first()).toContainText('curl ')
  await expect(reader.getByText('必須').first()).toBeVisible()
  await reader.locator('article').getByRole('link', { name: 'SearchResponse' }).first().click()
  await expect(reader.locator('article h1')).toHaveText('SearchResponse')
  await expect(sidebarLink(reader, 'SearchResponse')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a request is tried on its page, with the session of its reader, by keyboard', async ({
  reader,
  product,
}) => {
  await openPage(reader, `${encodeURI('/api/検索/search')}#responses`)
  await expect(reader.getByRole('heading', { name: /^レスポンス/ })).toBeInViewport() // a heading has an address
  const panel = reader.getByRole('region', { name: '試してみる' })
  await expect(panel.getByText('送信すると、ここに表示します。')).toBeVisible()
  await expect(reader.locator('.language-bash').first()).toContainText(`'${product.origin}/__gate/search?q=`)
  const field = panel.getByRole('textbox', { name: 'q（必須）' })
  await field.fill('ステージング環境')
  const section = panel.getByRole('combobox', { name: 'section' })
  await expect(section).toBeHidden() // what may stay empty is folded, so that the request is beside what is sent
  await panel.getByText('ほかのパラメーター').press('Enter')
  await section.selectOption('docs')
  await expect(panel.getByText('GET /__gate/search?q=')).toContainText('&section=docs')
  await field.press('Enter')
  await expect(panel.getByRole('status')).toHaveText(/^ステータス 200（/)
  await expect(panel.locator('pre')).toContainText('"url": "/docs/staging-env"')
  await panel.locator('pre').focus()
  await expect(panel.locator('pre')).toBeFocused()
  // Only what changes nothing is offered.
  await openPage(reader, encodeURI('/api/セッション/delete-session'))
  await expect(reader.getByRole('heading', { name: /^実行例/ })).toBeVisible()
  await expect(reader.locator('.sekisho-try')).toHaveCount(0)
})

test('an operation is found by what it does, and by its path', async ({ reader }) => {
  for (const q of ['自分のセッションを一覧する', '/__gate/sessions']) {
    const answer = await reader.request.get(`/__gate/search?${new URLSearchParams({ q })}`)
    const [first] = (await answer.json()).results
    expect(first, q).toMatchObject({
      title: '自分のセッションを一覧する',
      url: expect.stringMatching(/^\/api\//),
    })
  }
})

import { createRequire } from 'node:module'
import { expect, it, vi } from 'vitest'
import { explainMdxError } from './explain-mdx.ts'

const { compile } = await import(
  createRequire(createRequire(import.meta.url).resolve('@docusaurus/mdx-loader')).resolve('@mdx-js/mdx')
)

async function explain(markdown: string): Promise<string> {
  const error: unknown = await compile(markdown, { format: 'mdx' }).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('the page compiles')
  return explainMdxError('docs/a.mdx', error)
}

it.each([
  ['a\n\nb<br>c', '`<br>` を `<br />` と書いて'],
  ['a\n\n<Tabs>\n\nb', '`<Tabs>` が閉じられていません'],
  ['a\n\n</div>', '開始タグのない終了タグ'],
  ['a\n\n<!-- x -->', '`<!-- -->` を使えません'],
  ['a\n\n<https://example.com>', '`<https://…>` を使えません'],
  ['a\n\n1 <2', '`<` がタグの始まりとして'],
  ['a\n\n{a b}', '`{ }` または import'],
  ['a\n\n見出し {#id}', '`{ }` または import'],
  ['a\n\n> {a\nb}', '途中の行で切れて'],
])('names line 3 of %j and says what to change', async (markdown, advice) => {
  const explained = await explain(markdown)
  expect(explained).toMatch(/^docs\/a\.mdx:[34] を読めません。/)
  expect(explained).toContain(advice)
})

it('passes an unknown message on', () => {
  expect(explainMdxError('docs/a.mdx', new Error('odd'))).toBe('docs/a.mdx を読めません: odd')
})

it('explains in English on an English site', async () => {
  vi.stubEnv('SEKISHO_SITE_LANGUAGE', 'en')
  expect(await explain('a\n\nb<br>c')).toMatch(/^docs\/a\.mdx:3 cannot be read\. In \.mdx write `<br>`/)
  vi.unstubAllEnvs()
})

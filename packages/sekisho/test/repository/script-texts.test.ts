import { expect, it } from 'vitest'

const read = async (language: string): Promise<Readonly<Record<string, unknown>>> =>
  Object(await import(new URL(`../../../../scripts/support/texts/${language}.mjs`, import.meta.url).href))[
    language
  ]

it('the commands of this repository say in Japanese whatever they say in English', async () => {
  const [en, ja] = [await read('en'), await read('ja')]
  expect(Object.keys(ja)).toEqual(Object.keys(en))
  for (const [code, text] of Object.entries(ja)) {
    expect(String(text), code).toMatch(/[ぁ-ん]/)
    if (typeof text === 'function') expect(text, code).toHaveLength(Object(en[code]).length)
  }
})

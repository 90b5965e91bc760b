import type { Page } from '@playwright/test'
import { loadDefaultJapaneseParser } from 'budoux'
import { expect, LONG, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

const phrases = loadDefaultJapaneseParser()
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー]/u
const PAGES = [
  '/',
  '/docs/sekisho-overview',
  '/docs/sekisho-base/',
  '/knowledge/example',
  '/blog',
  '/blog/long-blog-post',
  '/docs/category/github',
]

/** The text of each matching element, line by line as it is laid out. */
function linesOf(page: Page, selector: string): Promise<string[][]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const lines: string[] = []
      let top = Number.NEGATIVE_INFINITY
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent ?? ''
        if (node.parentElement?.closest('.hash-link, svg, .katex, code') !== null) continue
        for (let at = 0; at < text.length; at += 1) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const box = range.getBoundingClientRect()
          if (box.width === 0) continue
          // What stands on one line may still differ by some pixels, as code and text do.
          if (box.top > top + box.height / 2) lines.push('')
          top = Math.max(top, box.top)
          lines.push(`${lines.pop() ?? ''}${text[at]}`)
        }
      }
      return lines
    }),
  )
}

/** Breaks between two Japanese characters that are no end of a phrase. */
function brokenPhrases(lines: readonly string[]): string[] {
  const boundaries = new Set<number>()
  let at = 0
  for (const phrase of phrases.parse(lines.join(''))) {
    at += phrase.length
    boundaries.add(at)
  }
  const found: string[] = []
  at = 0
  for (const [index, line] of lines.slice(0, -1).entries()) {
    at += line.length
    const [before, after] = [line.trimEnd().at(-1) ?? '', lines[index + 1]?.trimStart()[0] ?? '']
    if (JAPANESE.test(before) && JAPANESE.test(after) && !boundaries.has(at)) found.push(lines.join('／'))
  }
  return found
}

const WIDTHS = [390, 768, 1440]

test('headings and cards break between phrases alone, and no paragraph ends in a line of one or two characters', {
  tag: LONG,
}, async ({ reader }) => {
  for (const path of PAGES) {
    await openPage(reader, path)
    for (const width of WIDTHS) {
      const where = `${path} at ${width} px`
      await reader.setViewportSize({ width, height: 900 })
      const titles = await linesOf(reader, 'main :is(h1, h2, h3), main .card p')
      expect(titles.length, where).toBeGreaterThan(0)
      expect(titles.flatMap(brokenPhrases), where).toEqual([])

      const texts = await linesOf(reader, 'main :is(h1, h2, h3), main p:not(:has(code))')
      const lonely = texts.filter((lines) => lines.length > 1 && (lines.at(-1)?.trim().length ?? 9) < 3)
      expect(
        lonely.map((lines) => lines.join('／')),
        where,
      ).toEqual([])
    }
  }
})

test('text, code, tables and notes end at one right edge', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-base/')
  await expect(reader.locator('.sekisho-tools')).toBeVisible()
  for (const width of WIDTHS) {
    await reader.setViewportSize({ width, height: 900 })
    const edges = await reader
      .locator(
        '.theme-doc-markdown > :is(p, .theme-code-block, .theme-admonition, .sekisho-table, table), .theme-doc-footer, .sekisho-tools, .pagination-nav',
      )
      .evaluateAll((all) =>
        all.map((one) => ({
          kind: one.tagName + one.className.slice(0, 20),
          right: Math.round(one.getBoundingClientRect().right),
        })),
      )
    expect(new Set(edges.map(({ kind }) => kind)).size).toBeGreaterThan(2)
    expect(new Set(edges.map(({ right }) => right)).size, `${width} px: ${JSON.stringify(edges)}`).toBe(1)
  }
})

test('the link to a heading is named by the heading', async ({ reader }) => {
  await openPage(reader, '/docs/environment-setup')
  const link = reader.getByRole('heading', { name: '必要なもの' }).locator('.hash-link')
  await expect(link).toHaveAttribute('aria-label', /必要なもの/)
  const headings = reader.locator('article :is(h2, h3):has(wbr)')
  expect(await headings.count()).toBeGreaterThan(0)
  for (const heading of await headings.all()) {
    const name = (await heading.innerText()).replace(/\u200b/g, '').trim()
    await expect(heading.locator('.hash-link')).toHaveAttribute('aria-label', new RegExp(RegExp.escape(name)))
  }
})

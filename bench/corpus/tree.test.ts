import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCorpus, findDeepPage, listPages, walk } from './tree.ts'
import { writeDocs } from './write-docs.ts'

describe('the corpus', () => {
  it.each([100, 1000, 5000])('has exactly %d pages, each with an address of its own', (size) => {
    const addresses = listPages(createCorpus({ size })).map(({ address }) => address)
    expect(addresses).toHaveLength(size)
    expect(new Set(addresses).size).toBe(size)
  })

  it('is the same for the same seed and another for another', () => {
    expect(createCorpus({ size: 50, seed: 7 })).toEqual(createCorpus({ size: 50, seed: 7 }))
    expect(createCorpus({ size: 50, seed: 7 })).not.toEqual(createCorpus({ size: 50, seed: 8 }))
  })

  it('never lists more than eight entries in one place besides its own page', () => {
    for (const { category } of walk(createCorpus({ size: 5000 }))) {
      expect(category.pages.length + category.categories.length).toBeLessThanOrEqual(8)
    }
  })

  it('holds prose, code, tables, admonitions and lists', () => {
    const types = listPages(createCorpus({ size: 20 })).flatMap(({ page }) =>
      page.sections.flatMap(({ blocks }) => blocks),
    )
    expect(new Set(types.map(({ type }) => type))).toEqual(
      new Set(['prose', 'code', 'table', 'admonition', 'list']),
    )
  })
})

it.each(['docusaurus', 'starlight'] as const)('is written for %s with one file per page', (dialect) => {
  const root = createCorpus({ size: 30 })
  const dir = join(mkdtempSync(join(tmpdir(), 'sekisho-corpus-')), 'docs')
  writeDocs(root, { dir, dialect })
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  expect(files).toHaveLength(30)
  expect(readFileSync(join(dir, `${findDeepPage(root)}.md`), 'utf8')).toMatch(/^---\ntitle: "/)
})

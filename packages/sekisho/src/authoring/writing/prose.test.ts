import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { checkProse } from './prose.ts'

function createSite(files: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'sekisho-prose-'))
  writeFiles(cwd, files)
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const io = { env: { LANG: 'ja_JP.UTF-8' }, cwd, clock: () => 0, print: write, complain: write }
  return { cwd, lines, check: () => checkProse(cwd, io) }
}

/** Answers as textlint does, with a remark on the third line of each file it is given. */
const TEXTLINT = `#!${process.execPath}
const files = process.argv.slice(2).filter((arg) => /\\.mdx?$/.test(arg))
const message = { line: 3, column: 5, ruleId: 'ja-technical-writing/max-ten', message: '読点が多すぎます。\\n理由: …' }
console.log(JSON.stringify(files.map((filePath) => ({ filePath, messages: [message] }))))
`

it('prints each remark with its place, of pages only', async () => {
  const site = createSite({
    'docs/a.md': '一、二、三',
    'blog/b.mdx': '',
    'build/c.md': '',
    '.docusaurus/d.md': '',
    'node_modules/textlint/package.json': '{}',
    'node_modules/.bin/textlint': TEXTLINT,
  })
  chmodSync(join(site.cwd, 'node_modules/.bin/textlint'), 0o755)
  expect(await site.check()).toBe(0)
  expect(site.lines).toEqual([
    'blog/b.mdx:3:5 読点が多すぎます。 (ja-technical-writing/max-ten)',
    'docs/a.md:3:5 読点が多すぎます。 (ja-technical-writing/max-ten)',
    '2 ページに、文章の指摘が 2 件あります。',
  ])
})

it('says what to install', async () => {
  const site = createSite({ 'docs/a.md': '' })
  expect(await site.check()).toBe(1)
  expect(site.lines).toEqual([
    expect.stringContaining('npm i -D textlint textlint-rule-preset-ja-technical-writing'),
  ])
})

it('passes on why textlint failed', async () => {
  const site = createSite({
    'docs/a.md': '',
    'node_modules/textlint/package.json': '{}',
    'node_modules/.bin/textlint': `#!${process.execPath}\nconsole.error('Error: rules'); process.exit(2)\n`,
  })
  chmodSync(join(site.cwd, 'node_modules/.bin/textlint'), 0o755)
  expect(await site.check()).toBe(1)
  expect(site.lines).toEqual(['textlint: Error: rules'])
})

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runNew } from './new-page.ts'

function createSite() {
  const cwd = mkdtempSync(join(tmpdir(), 'sekisho-new-'))
  writeFileSync(join(cwd, 'docusaurus.config.ts'), '')
  for (const folder of ['docs', 'blog']) mkdirSync(join(cwd, folder))
  writeFileSync(join(cwd, 'blog', 'authors.yml'), 'sekisho:\n  name: 開発チーム\n')
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { LANG: 'ja_JP.UTF-8' },
    cwd,
    clock: () => Date.UTC(2026, 10, 22, 12),
    print: (line: string) => out.push(line),
    complain: (line: string) => err.push(line),
  }
  return { cwd, out, err, run: (...args: string[]) => runNew(args, io) }
}

it('makes a page with its front matter in a folder of its own', async () => {
  const site = createSite()
  expect(await site.run('docs', 'github/release-rule', 'リリース: 規約')).toBe(0)
  expect(site.out).toEqual(['docs/github/release-rule.md を作りました。'])
  expect(readFileSync(join(site.cwd, 'docs/github/release-rule.md'), 'utf8')).toMatch(
    /^---\ntitle: "リリース: 規約"\ndescription: .+\nkeywords: \["リリース: 規約"\]\n---\n\n# リリース: 規約\n/,
  )
})

it('dates a post and names an author', async () => {
  const site = createSite()
  expect(await site.run('blog', 'autumn', '秋のお知らせ')).toBe(0)
  const post = readFileSync(join(site.cwd, 'blog/2026-11-22-autumn.md'), 'utf8')
  expect(post).toMatch(/\nauthors: \[sekisho\]\n[\s\S]*<!-- truncate -->/)
})

it.each([
  ['nowhere', 'a', '題'],
  ['docs', '../a', '題'],
  ['../docs', 'a', '題'],
  ['docs', 'リリース', '題'],
])('refuses %s %s', async (...args) => {
  const site = createSite()
  expect(await site.run(...args)).toBe(1)
  expect(site.err[0]).toMatch(/^sekisho new: .*。 \[site\.\w+\]$/)
})

it('overwrites nothing', async () => {
  const site = createSite()
  writeFileSync(join(site.cwd, 'docs', 'a.md'), '書きかけ')
  expect(await site.run('docs', 'a', '題')).toBe(1)
  expect(readFileSync(join(site.cwd, 'docs', 'a.md'), 'utf8')).toBe('書きかけ')
})

it.each([[[]], [['docs', 'a']], [['docs', 'a', ' ']]])('shows how it is used for %j', async (args) => {
  const site = createSite()
  expect(await site.run(...args)).toBe(2)
  expect(site.err[0]).toMatch(/\[command\.arguments_incomplete\]\n\n使い方: sekisho new/)
})

import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTranslations } from './translation-status.ts'

const LOCALIZED = 'i18n/en/docusaurus-plugin-content-docs/current'

/** A repository whose site is in a folder, with Japanese documents and English translations. */
async function createSite() {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-translations-'))
  const siteDir = join(root, 'site')
  const git = (...args: string[]) =>
    String(execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: root }))
  for (const folder of ['docs', LOCALIZED]) await mkdir(join(siteDir, folder), { recursive: true })
  git('init', '-q', '-b', 'main')
  let edits = 0
  const commit = async (subject: string, ...files: string[]) => {
    edits += 1
    for (const file of files) await writeFile(join(siteDir, file), `${'本文\n'.repeat(20)}${edits}\n`)
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', subject)
    return git('rev-parse', 'HEAD').trim()
  }
  const read = (sources: Readonly<Record<string, string | null>>, dir = siteDir) => {
    const docs = Object.entries(sources).map(([name, source]) => ({
      ...{ permalink: `/base/en/docs/${name}`, source: `@site/${LOCALIZED}/${name}.md` },
      frontMatter: source === null ? {} : { source },
    }))
    const contentPath = join(dir, 'docs')
    const version = { contentPath, contentPathLocalized: join(dir, LOCALIZED), docs }
    const content = { 'docusaurus-plugin-content-docs': { default: { loadedVersions: [version] } } }
    return readTranslations(content, { siteDir: dir, baseUrl: '/base/en/', originalUrl: '/base/' })
  }
  const behind = (sources: Readonly<Record<string, string | null>>) => {
    const statuses = read(sources)
    if ('problem' in statuses) throw new Error(statuses.problem)
    return Object.fromEntries(
      [...statuses].map(([key, status]) => [key.slice('/base/en/docs/'.length), status.behind]),
    )
  }
  const dispose = () => rm(root, { recursive: true })
  return { root, siteDir, git, commit, read, behind, [Symbol.asyncDispose]: dispose }
}

it('counts changes of the original since the translation, or since the commit it names', async () => {
  await using site = await createSite()
  const { commit } = site
  const first = await commit('docs: write', 'docs/a.md', 'docs/b.md')
  await commit('docs: translate', `${LOCALIZED}/a.md`, `${LOCALIZED}/b.md`)
  await commit('docs: new steps', 'docs/a.md')
  await commit('docs: fix typo', 'docs/a.md', 'docs/b.md')
  await commit('誤字を修正', 'docs/a.md')
  await commit('fix broken links', 'docs/a.md')
  await commit('docs: more steps', 'docs/a.md')
  const named = (name: string, source: string | null) => site.behind({ [name]: source })[name]
  expect(site.behind({ a: null, b: null })).toEqual({ a: 2, b: 0 })
  expect(named('b', first)).toBe(0)
  expect(named('a', first.slice(0, 10))).toBe(2)
  expect(named('a', await commit('chore: nothing'))).toBe(0)
  expect(named('a', 'abcdef0123')).toBe(2)
  await commit('minor: one word', `${LOCALIZED}/a.md`)
  expect(named('a', null)).toBe(2)
  await commit('docs: both', 'docs/a.md', `${LOCALIZED}/a.md`)
  expect(named('a', null)).toBe(0)
  await commit('docs: uncommitted', 'docs/c.md')
  await writeFile(join(site.siteDir, LOCALIZED, 'c.md'), 'c')
  expect(site.behind({ c: null, gone: null })).toEqual({})
})

it('follows renamed files, and counts a branch that was merged later', async () => {
  await using site = await createSite()
  const { commit, git } = site
  await commit('docs: write', 'docs/a.md')
  git('switch', '-q', '-c', 'side')
  await commit('docs: on a branch', 'docs/a.md')
  git('switch', '-q', 'main')
  await commit('docs: translate', `${LOCALIZED}/a.md`)
  expect(site.behind({ a: null })).toEqual({ a: 0 })
  git('merge', '-q', '--no-edit', 'side')
  expect(site.behind({ a: null })).toEqual({ a: 1 })
  for (const folder of ['docs', LOCALIZED])
    await rename(join(site.siteDir, folder, 'a.md'), join(site.siteDir, folder, '手順.md'))
  await commit('docs: rename')
  expect(site.behind({ 手順: null })).toEqual({ 手順: 1 })
  await commit('docs: translate', `${LOCALIZED}/手順.md`)
  await rename(join(site.siteDir, 'docs', '手順.md'), join(site.siteDir, 'docs', 'b.md'))
  await commit('docs: away')
  await rename(join(site.siteDir, 'docs', 'b.md'), join(site.siteDir, 'docs', '手順.md'))
  await commit('docs: and back')
  expect(site.behind({ 手順: null })).toEqual({ 手順: 0 })
  await commit('docs: change', 'docs/手順.md')
  expect(site.behind({ 手順: null })).toEqual({ 手順: 1 })
})

it('names the original, and explains a clone without the history', async () => {
  await using site = await createSite()
  await site.commit('docs: write', 'docs/a.md', `${LOCALIZED}/a.md`)
  await site.commit('docs: change', 'docs/a.md')
  expect(site.read({ a: null })).toEqual(
    new Map([['/base/en/docs/a', { behind: 1, translationOf: '/base/docs/a' }]]),
  )
  const clone = join(site.root, 'clone')
  site.git('clone', '-q', '--depth', '1', `file://${site.root}`, clone)
  expect(site.read({ a: null }, join(clone, 'site'))).toEqual({ problem: 'translations_shallow', pages: 1 })
})

import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { findBuiltPages } from './built-pages.ts'
import { FIRST_PAGE_ID } from './routes/model.ts'
import { inlineStyles } from './styles/first-styles.ts'

async function createBuild(files: Readonly<Record<string, string>>) {
  const build = await mkdtempDisposable(join(tmpdir(), 'sekisho-pages-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(build.path, name, '..'), { recursive: true })
    await writeFile(join(build.path, name), text)
  }
  return build
}

it('finds pages in folders that are named like pages', async () => {
  await using build = await createBuild({
    'contact.html/index.html': '',
    'old.htm/index.html': '',
    'guide.HTML': '',
    'theme.css/index.html': '',
  })
  const found = (await findBuiltPages(build.path)).map((file) => relative(build.path, file)).sort()
  expect(found).toEqual([
    'contact.html/index.html',
    'guide.HTML',
    'old.htm/index.html',
    'theme.css/index.html',
  ])
})

it('gives pages their first styles beside folders named like pages and style sheets', async () => {
  const links = ['styles.css', 'theme.css', '100%.css', 'gone.css'].map(
    (name) => `<link rel=stylesheet href=/${name} />`,
  )
  const page = `<head>${links.join('')}</head><body><p id=${FIRST_PAGE_ID}>a</p></body>`
  await using build = await createBuild({
    'contact.html/index.html': page,
    'theme.css/index.html': 'a redirect',
    'styles.css': 'p{color:red}',
  })
  await inlineStyles(build.path, '/')
  const styled = await readFile(join(build.path, 'contact.html/index.html'), 'utf8')
  expect(styled).toContain('p{color:red}</style>')
  for (const link of links.slice(1)) expect(styled).toContain(link)
})

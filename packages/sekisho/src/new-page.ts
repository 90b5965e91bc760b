import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type CommandIo, type RunCommand, readOptions } from './command.ts'
import { choose, type Text } from './language.ts'
import { findSite, SiteError } from './site/find-site.ts'

const HELP: Text = {
  ja: `使い方: sekisho new フォルダー 名前 題 [--site DIR]

新しいページを、必要なフロントマターを付けて作ります。サイドバーには自動で並びます。

  フォルダー  docs、knowledge、blog など、サイトのフォルダー
  名前        ファイル名。英小文字、数字、ハイフン、下のフォルダーには「/」（例: github/release-rule）
  題          ページの題

  --site DIR  Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --help      この説明を表示する

例: sekisho new docs github/release-rule リリース規約`,
  en: `Usage: sekisho new FOLDER NAME TITLE [--site DIR]

Makes a new page with the front matter it needs. It appears in the sidebar by itself.

  FOLDER      a folder of the site: docs, knowledge, blog
  NAME        the file's name: lower-case letters, digits, hyphens, and "/" for folders (as in github/release-rule)
  TITLE       the page's title

  --site DIR  the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --help      show this text

Example: sekisho new docs github/release-rule "Release rules"`,
}

const NAME = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*$/

/** Runs `sekisho new`. */
export const runNew: RunCommand = async (args, io) => {
  const help = choose(io, HELP)
  const read = readOptions(args, io, { help, options: { site: { type: 'string' } }, maxPositionals: 3 })
  if (!read.ok) return read.exitCode
  const [folder, name, title] = read.positionals
  if (folder === undefined || name === undefined || title === undefined || title.trim() === '') {
    io.complain(help)
    return 2
  }
  try {
    const { dir } = findSite(io.cwd, read.values.site)
    const file = await writePage({ site: dir, folder, name, title: title.trim() }, io)
    const path = relative(io.cwd, file)
    io.print(choose(io, { ja: `${path} を作りました。`, en: `${path} is made.` }))
    return 0
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    io.complain(`sekisho new: ${error.message}`)
    return 1
  }
}

interface NewPage {
  readonly site: string
  readonly folder: string
  readonly name: string
  readonly title: string
}

async function writePage({ site, folder, name, title }: NewPage, io: CommandIo): Promise<string> {
  if (!NAME.test(folder) || !existsSync(join(site, folder)))
    throw new SiteError(
      choose(io, {
        ja: `${site} に ${folder} というフォルダーはありません。docs、knowledge、blog などを指定してください。`,
        en: `${site} has no folder ${folder}; name one such as docs, knowledge or blog`,
      }),
    )
  if (!NAME.test(name))
    throw new SiteError(
      choose(io, {
        ja: `名前 ${name} は使えません。英小文字、数字、ハイフンで付けてください（例: github/release-rule）。`,
        en: `${name} is no name for a page: use lower-case letters, digits and hyphens, as in github/release-rule`,
      }),
    )
  const isPost = folder === 'blog'
  const today = new Date(io.clock()).toLocaleDateString('sv-SE')
  const file = join(site, folder, isPost ? `${today}-${name}.md` : `${name}.md`)
  const content = isPost ? post(site, name, title) : page(title)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new SiteError(
      choose(io, {
        ja: `${file} はもうあります。別の名前にしてください。`,
        en: `${file} exists already; choose another name`,
      }),
    )
  })
  return file
}

const page = (title: string): string => `---
title: ${JSON.stringify(title)}
description: このページで何が分かるかを、1 文で書きます。
keywords: [${JSON.stringify(title)}]
---

# ${title}

最初の段落で、誰の何に役立つページかを伝えます。

## 見出し
`

function post(site: string, name: string, title: string): string {
  const author = firstAuthor(join(site, 'blog', 'authors.yml'))
  return `---
slug: ${name}
title: ${JSON.stringify(title)}
description: この記事で何が分かるかを、1 文で書きます。
authors: [${author ?? ''}]
tags: []
---

最初の段落が、記事の一覧に表示されます。

<!-- truncate -->

続きを書きます。
`
}

/** The first name in the blog's list of authors, for the writer to change. */
function firstAuthor(file: string): string | null {
  if (!existsSync(file)) return null
  return /^([\w-]+):/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null
}

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type CommandIo, defineCommand, misuse } from '../../command.ts'
import { dayOf, sayTo } from '../../language.ts'
import { findSite, SiteError } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'site')

const HELP: Message = messageOf('new_page_help')

const NAME = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*$/

/** Runs `sekisho new`. */
export const runNew = defineCommand(
  { name: 'new', help: HELP, options: { site: { type: 'string' } }, maxPositionals: 3 },
  async (read, io) => {
    const [folder, name, title] = read.positionals
    if (folder === undefined || name === undefined || title === undefined || title.trim() === '')
      return misuse(io, HELP)
    const { dir } = findSite(io.cwd, read.values.site)
    const file = await writePage({ site: dir, folder, name, title: title.trim() }, io)
    const path = relative(io.cwd, file)
    io.print(sayTo(io, messageOf('made', path)))
    return 0
  },
)

interface NewPage {
  readonly site: string
  readonly folder: string
  readonly name: string
  readonly title: string
}

async function writePage({ site, folder, name, title }: NewPage, io: CommandIo): Promise<string> {
  if (!NAME.test(folder) || !existsSync(join(site, folder)))
    throw new SiteError(messageOf('folder_not_found', site, folder))
  if (!NAME.test(name)) throw new SiteError(messageOf('no_name_for', name))
  const isPost = folder === 'blog'
  const today = dayOf(io.clock())
  const file = join(site, folder, isPost ? `${today}-${name}.md` : `${name}.md`)
  const content = isPost ? post(site, name, title) : page(title)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new SiteError(messageOf('page_exists', file))
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

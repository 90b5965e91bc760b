import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BASE_URL } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { openPublication, packAndPublish } from '../build/build.ts'
import { lockBuild } from '../build/build-lock.ts'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from '../command.ts'
import { choose, type Text } from '../language.ts'
import { type PreparedFolder, prepareFolder } from './prepare-folder.ts'
import { asksSearchService } from './read-folder.ts'

const HELP: Text = {
  ja: `使い方: sekisho pack DIR [--title TITLE] [--lang TAG] [--base PATH] [--bar] [--data-dir DIR]

HTML のフォルダーをリリースにして公開します。MkDocs、VitePress、Starlight、TypeDoc が作ったものでも、手で書いたファイルでもかまいません。
検索インデックスもページから作ります。DIR に __sekisho/site.json と 404.html がなければ書きます。自分で書いたものや直したものは、そのまま使います。
言語ごとのフォルダー（ja/、en/ など）には、それぞれの検索インデックスを作ります。

  --title TITLE   サイトの名前（既定: 多くのページの題の終わり、なければ index.html の題）
  --lang TAG      サイトの言語（既定: index.html の指定、なければ ja）
  --base PATH     ページが置かれることになっているパス（例: /docs/。既定: /）
  --bar           検索とアカウントのボタン（bar.js）を、まだないページに入れる
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho pack DIR [--title TITLE] [--lang TAG] [--base PATH] [--bar] [--data-dir DIR]

Makes a release of any folder of HTML and publishes it: what MkDocs, VitePress, Starlight or TypeDoc built, or plain files.
A search index is made from the pages. Where DIR has no __sekisho/site.json, it is written, and a 404.html; one that you wrote or changed is left as it is.
A folder for each language (ja/, en/) gets a search index of its own.

  --title TITLE   the site's name (default: what the titles of most pages end with, else the title of index.html)
  --lang TAG      its language (default: what index.html says, else ja)
  --base PATH     the path below which the pages expect to be served, as in /docs/ (default: /)
  --bar           put the search and account buttons (bar.js) into each page that lacks them
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

const NO_FOLDER: Text = { ja: 'フォルダーを指定してください。', en: 'Name the folder' }
const WRONG_BASE: Text = {
  ja: '--base は / で始め、/ で終えてください。',
  en: '--base must begin and end with a slash',
}

const OPTIONS = {
  title: { type: 'string' },
  lang: { type: 'string' },
  base: { type: 'string' },
  bar: { type: 'boolean', default: false },
  ...DATA_DIR,
} as const

const NO_BAR: Text = {
  ja: 'どのページにも、ゲートの検索とアカウントのボタンがありません。sekisho pack --bar で入ります（/__gate/search-page はボタンなしでも使えます）。',
  en: 'No page has the search and account buttons of the gate: sekisho pack --bar puts them in (/__gate/search-page works without).',
}
const DEAD_SEARCH: Text = {
  ja: 'このサイトの検索は外部の検索サービスに問い合わせますが、ゲートのコンテンツポリシーが止めるので、何も見つかりません。',
  en: 'The site’s own search asks a search service elsewhere, which the content policy of the gate refuses: it finds nothing.',
}

/** Tells which search readers have: a search that fails without a word is taken for a page that is not there. */
async function sayOfSearch(dir: string, { languages, hasBar }: PreparedFolder, io: CommandIo): Promise<void> {
  if (languages.length > 0)
    io.print(
      choose(io, {
        ja: `検索インデックスを言語ごとに作りました: ${languages.join('、')}`,
        en: `Search indexes of their own: ${languages.join(', ')}`,
      }),
    )
  if (await asksSearchService(dir)) io.print(choose(io, DEAD_SEARCH))
  if (!hasBar) io.print(choose(io, NO_BAR))
}

/** Runs `sekisho pack`. */
export const runPack: RunCommand = async (args, io) => {
  const help = choose(io, HELP)
  const read = readOptions(args, io, { help, options: OPTIONS, maxPositionals: 1 })
  if (!read.ok) return read.exitCode
  const { title, lang, base: baseUrl = '/', bar: withBar, 'data-dir': dataDir } = read.values
  const [named] = read.positionals
  if (named === undefined || !BASE_URL.test(baseUrl)) {
    io.complain(`${choose(io, named === undefined ? NO_FOLDER : WRONG_BASE)}\n\n${help}`)
    return 2
  }
  const dir = resolve(io.cwd, named)
  const folder = readDataFolder(dataDir, io)
  try {
    if (!(await stat(dir).catch(() => null))?.isDirectory())
      throw new ReleaseError('build_invalid', [`${dir} is no folder`])
    await using _lock = await lockBuild(folder.root)
    const cacheDir = join(folder.root, 'cache', 'static-search')
    const prepared = await prepareFolder(dir, { title, lang, baseUrl }, { cacheDir, withBar })
    const code = await packAndPublish(
      openPublication(folder, io),
      { makeBuild: async () => ({ buildDir: dir }) },
      io,
    )
    if (code === 0) await sayOfSearch(dir, prepared, io)
    return code
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    io.complain(`sekisho pack: ${error.message}`)
    return 1
  }
}

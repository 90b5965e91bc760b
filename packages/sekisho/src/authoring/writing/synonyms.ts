import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { addSynonyms, readVocabularyFile, VOCABULARY_FILE } from '@sekisho/search/indexer'
import { type CommandIo, defineCommand, misuse } from '../../command.ts'
import { plain, sayTo } from '../../language.ts'
import { findSite } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'site')

const HELP: Message = messageOf('synonyms_help', VOCABULARY_FILE)

const ONE_WORD: Message = messageOf('one_word')
const MAX_WORDS = 20

/** Runs `sekisho synonyms …`. */
export const runSynonyms = defineCommand(
  { name: 'synonyms', help: HELP, options: { site: { type: 'string' } }, maxPositionals: MAX_WORDS },
  async (read, io) => {
    const { values, positionals: words } = read
    if (words.length === 1) return misuse(io, HELP, ONE_WORD)
    const dir = findFolder(io, values.site)
    if (words.length === 0) await list(dir, io)
    else await add(dir, words, io)
    return 0
  },
)

/** A folder that is named may be one of no Docusaurus site. */
const findFolder = (io: CommandIo, named: string | undefined): string =>
  named === undefined ? findSite(io.cwd).dir : resolve(io.cwd, named)

async function list(dir: string, io: CommandIo): Promise<void> {
  const { synonyms } = await readVocabularyFile(dir)
  for (const group of synonyms) io.print(plain(group.join('  ')))
  if (synonyms.length > 0) return
  io.print(sayTo(io, messageOf('synonyms_empty')))
}

async function add(dir: string, words: readonly string[], io: CommandIo): Promise<void> {
  const group = await addSynonyms(dir, words)
  const said =
    group === null
      ? messageOf('synonyms_unchanged')
      : messageOf('synonyms_added', group.map(plain), VOCABULARY_FILE)
  io.print(sayTo(io, said))
}

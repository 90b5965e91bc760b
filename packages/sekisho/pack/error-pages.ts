import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LANGUAGES, type Language } from '@sekisho/contract/language'
import { PROBLEMS } from '../src/error-codes.ts'

const ROOT = new URL('../../../', import.meta.url)

const TEXTS: Readonly<Record<Language, { readonly lead: string; readonly header: string }>> = {
  ja: {
    lead: `# エラーコードの一覧

([English](errors.md))

コマンドが失敗すると、メッセージの末尾に \`[gate.bad_origin]\` のようなコードを表示します。ほかの問題を引用する問題には、コードが複数あります。
\`sekisho explain CODE\` でも同じ文を表示します。文は、何が起きたかと、どう直すかを述べます。\`{name}\` のような波括弧の部分には、そのときの値が入ります。`,
    header: '| コード | 原因と対処 |',
  },
  en: {
    lead: `# Error codes

([日本語](errors.ja.md))

A command that fails ends its message with a code such as \`[gate.bad_origin]\`; a problem about another one has the codes of both.
\`sekisho explain CODE\` prints the same sentence. It says what is wrong and what to do; values stand as names in braces, such as \`{name}\`.`,
    header: '| code | cause and remedy |',
  },
}

/** The pages of error codes by their places in the repository, as the tables of texts make them. */
export function errorPages(): ReadonlyMap<string, string> {
  const names = { ja: 'errors.ja', en: 'errors' }
  return new Map(LANGUAGES.map((language) => [`docs/${names[language]}.md`, pageIn(language)]))
}

function pageIn(language: Language): string {
  const { lead, header } = TEXTS[language]
  const tables = [...Map.groupBy(PROBLEMS, ({ area }) => area)].map(([area, problems]) => {
    const rows = problems.map(
      (problem) => `| \`${problem.publicCodes.join(' ')}\` | ${cell(problem.in(language))} |`,
    )
    return [`## ${area}\n`, header, '| --- | --- |', ...rows].join('\n')
  })
  const note = '<!-- Made by npm run errors from the tables of texts: change those, not this. -->'
  return `${[note, lead, ...tables].join('\n\n')}\n`
}

const cell = (sentence: string): string =>
  sentence
    .trim()
    .replace(/[\\|<>*_[\]`]/g, '\\$&')
    .replaceAll('\n', '<br>')

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of errorPages()) writeFileSync(new URL(path, ROOT), text)

import path from 'node:path'
import { pageError } from './problems.ts'

/** What the front matter of a page may say, as far as a writer gets it wrong; everything else is Docusaurus' affair. */
const FIELDS: {
  readonly [name: string]: { readonly is: (value: unknown) => boolean; readonly want: string }
} = {
  title: { is: isText, want: '文字列（例: title: 検索の使い方）' },
  description: { is: isText, want: '文字列（例: description: 検索の開き方を紹介します。）' },
  sidebar_label: { is: isText, want: '文字列' },
  slug: { is: isText, want: '文字列（例: slug: /guide）' },
  sidebar_position: { is: (value) => typeof value === 'number', want: '数（例: sidebar_position: 2）' },
  keywords: { is: isTexts, want: '文字列のリスト（例: keywords: [検索, 絞り込み]）' },
  tags: { is: Array.isArray, want: 'リスト（例: tags: [検索]）' },
  draft: { is: (value) => typeof value === 'boolean', want: 'true か false' },
  unlisted: { is: (value) => typeof value === 'boolean', want: 'true か false' },
}

interface ParsedPage {
  readonly frontMatter: { readonly [name: string]: unknown }
}

/**
 * Passes the parsed front matter of a page on, or throws a `PageError` with everything that is wrong with it.
 * Partials, whose name or folder begins with `_`, have none.
 * @param required names of fields every page has to have
 */
export function checkFrontMatter<T extends ParsedPage>(
  filePath: string,
  fileContent: string,
  page: T,
  required: readonly string[],
): T {
  if (filePath.split(path.sep).some((name) => name.startsWith('_'))) return page
  const missing = required
    .filter((name) => page.frontMatter[name] === undefined || page.frontMatter[name] === null)
    .map((name) => `${name} がありません。先頭の「---」の間に書いてください: ${FIELDS[name]?.want ?? name}`)
  const wrong = Object.entries(page.frontMatter).flatMap(([name, value]) => {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (field === undefined || value === undefined || value === null || field.is(value)) return []
    return [`${lineOf(fileContent, name)}行目の ${name} は${field.want}にしてください。`]
  })
  if (missing.length + wrong.length > 0) throw pageError(describe(filePath, [...missing, ...wrong]))
  return page
}

/** What a page says whose front matter is no YAML at all. */
export function yamlError(filePath: string, error: unknown): unknown {
  const { mark, reason } = Object(error)
  if (typeof mark?.line !== 'number' || typeof reason !== 'string') return error
  // The parser begins to count behind the opening line.
  return pageError(
    describe(`${filePath}:${mark.line + 1}`, [
      `YAML として読めません（${reason}）。値に「: 」や「#」があるときは、全体を ' で囲んでください。`,
    ]),
  )
}

function describe(place: string, problems: readonly string[]): string {
  return [`${place}: フロントマターを直してください。`, ...problems.map((line) => `  - ${line}`)].join('\n')
}

function lineOf(fileContent: string, name: string): number {
  return fileContent.split('\n').findIndex((line) => line.startsWith(`${name}:`)) + 1
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'number' || isText(item))
}

/** Messages of the MDX parsers (micromark's and mdx's own), with remedies for a writer. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^Expected a closing tag for `<(br|hr|img|input|wbr)\b[^`]*>`/,
    '`.mdx` では `<$1>` を `<$1 />` と書いてください。ファイル名が `.md` なら、そのまま書けます。',
  ],
  [
    /^Markdown image with URL `([^`]+)`/,
    '画像 $1 がありません。画像をページと同じフォルダーか static フォルダーに置き、名前の大文字と小文字も確認してください。',
  ],
  [
    /^Expected a closing tag for `<([^`>]+)>`/,
    '`<$1>` が閉じられていません。`</$1>` を書き足すか、1 つで完結する要素なら `<$1 />` と書いてください。',
  ],
  [
    /^Unexpected closing (?:slash|tag)/,
    '開始タグのない終了タグがあります。対応する開始タグを書くか、終了タグを消してください。',
  ],
  [
    /to create a comment in MDX/,
    '`.mdx` では `<!-- -->` を使えません。`{/* コメント */}` と書くか、ファイル名を `.md` にしてください。',
  ],
  [
    /to create a link in MDX/,
    '`.mdx` では `<https://…>` を使えません。`[文字](https://…)` と書くか、ファイル名を `.md` にしてください。',
  ],
  [
    /^Unexpected (?:character|end of file).*(?:before name|local name|in name|attribute|before attribute|tag)/,
    '`<` がタグの始まりとして読まれました。文字として書くには `\\<` か `&lt;` とするか、`` ` `` で囲んでください。ファイル名が `.md` なら、そのまま書けます。',
  ],
  [
    /^Unexpected lazy line/,
    '`{ }` が途中の行で切れています。引用や箇条書きの中では、続きの行も同じ深さにしてください。',
  ],
  [
    /^Could not parse (?:expression|import\/exports) with acorn|^Unexpected .*in expression|^Unexpected content after expression/,
    '`{ }` または import の中を JavaScript として読めません。文字として書くには `\\{` とするか、`` ` `` で囲んでください。ファイル名が `.md` なら、そのまま書けます。',
  ],
]

interface ParserError extends Error {
  readonly reason?: string
  readonly line?: number | null
}

/**
 * Says in Japanese where and why a page could not be compiled, and what to change.
 * @param file as a writer knows it, relative to the site
 */
export function explainMdxError(file: string, error: ParserError): string {
  const reason = error.reason ?? error.message
  // Where no position is given, the message names it: of the tag that was opened, of the image.
  const named = /\((\d+):\d+(?:-\d+:\d+)?\)/.exec(reason)?.[1]
  const line = typeof error.line === 'number' ? String(error.line) : named
  const place = line === undefined ? file : `${file}:${line}`
  for (const [pattern, advice] of EXPLANATIONS) {
    const match = pattern.exec(reason)
    if (match !== null)
      return `${place} を読めません。${advice.replaceAll('$1', match[1] ?? '')}\n  （${reason.split('\n', 1)[0]}）`
  }
  return `${place} を読めません: ${reason}`
}

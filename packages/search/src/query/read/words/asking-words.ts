/** Words that ask rather than tell; they rank pages and exclude none. */
export const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    '方法 手順 仕方 やり方 使い方 使う 使用方法 書き方 作り方 直し方 調べ方 場合 意味 目的 必要 理由 原因 対処 対処法 ' +
    '教え 知り 行う 違い 例 何 回 目 時 際 事'
  ).split(' '),
)

/** One-character words that lean on their neighbours (コンポーネント間, 実験的) and say little alone. */
const LEANING = '間方的用中上下内外化性後前別毎側者系等付込済可不非未再各全時際事目回何例'

/** Tells if a word of a longer run may be missing on a page that answers. */
export function isDispensable(word: string): boolean {
  return ASKING_WORDS.has(word) || (word.length === 1 && LEANING.includes(word))
}

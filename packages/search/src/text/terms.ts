import { hasHan } from './characters.ts'
import { englishStem } from './english.ts'

/**
 * The term under which a Japanese word (folded) counts for its page: what its inflections share. 消す, 消えた and 消し are all
 * 消~, 取り消す and 取消 are 取消. A single character left of a verb is marked, since 動 in 動作 is another word.
 */
export function wordTerm(key: string): string {
  if (!hasHan(key)) return key
  const bare = key.replace(/[ぁ-ん]+/g, '')
  return bare === key || Array.from(bare).length > 1 ? bare : `${bare}~`
}

/** The term of a Latin name that `readIdentifier` has joined: its English stem where it is a word. */
export function nameTerm(joined: string): string {
  return englishStem(joined) || joined
}

/** The term of a word in any script. */
export const termOf = (key: string): string => (hasHan(key) ? wordTerm(key) : nameTerm(key))

const SUBJECT = '='

/** The term under which a subject of everyday words counts for a page; no word's term begins like it. */
export const subjectTerm = (name: string): string => SUBJECT + name

/** The name of the subject that a term stands for, folded. */
export const subjectOf = (term: string): string => term.slice(SUBJECT.length)

import { KANJI_FORMS } from './kanji-forms.ts'

const OTHERS = new Map<string, string>()
const PATTERNS = new Map<string, string>()
for (const group of KANJI_FORMS.split(' ')) {
  const forms = Array.from(group)
  const [usual = '', ...others] = forms
  for (const other of others) OTHERS.set(other, usual)
  // Patterns are read in UTF-16 units, of which a rare character has two.
  const isOneUnit = group.length === forms.length
  PATTERNS.set(usual, isOneUnit ? `[${group}]` : `(?:${forms.join('|')})`)
}
const OTHER = new RegExp(`[${[...OTHERS.keys()].join('')}]`, 'gu')

/** Writes every character in its usual form; the number of characters stays. */
export function foldKanji(text: string): string {
  return text.replace(OTHER, (character) => OTHERS.get(character) ?? character)
}

/** Pattern source for a folded character in any of its forms; undefined when it has one form. */
export function kanjiForms(character: string): string | undefined {
  return PATTERNS.get(character)
}

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { foldKatakana } from '../../text/kana.ts'
import { normalise } from '../../text/normalise.ts'
import { subjectTerm } from '../../text/terms.ts'

/** Something that pages are about: by what names they call it, and how people speak of it who do not know or use these. */
export interface Subject {
  /** The term under which the index counts it. */
  readonly term: string
  /** Folded, as texts are compared. */
  readonly names: readonly string[]
  readonly phrases: readonly string[]
}

const FILE = new URL('../../../everyday-words.txt', import.meta.url)
const NOTE = /[（(][^（(）)]*[）)]/g
const MIN_NAME = 2

let subjects: readonly Subject[] | undefined
let digest: string | undefined

/** The subjects of `everyday-words.txt`. Two lines with one first name are one subject. */
export function readSubjects(): readonly Subject[] {
  subjects ??= parseSubjects(readFileSync(FILE, 'utf8'))
  return subjects
}

/** Digest that tells this list from those of other versions. */
export function subjectsDigest(): string {
  digest ??= hash('sha256', readFileSync(FILE), 'base64url')
  return digest
}

/** Reads lines of `name; name = phrase; phrase`; those that begin with `#` say nothing. */
export function parseSubjects(text: string): Subject[] {
  const found = new Map<string, { names: Set<string>; phrases: Set<string> }>()
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue
    const [names = [], phrases = []] = line.split(' = ').map(itemsOf)
    const [first] = names
    if (first === undefined || phrases.length === 0) continue
    const term = subjectTerm(foldName(first))
    const subject = found.get(term) ?? { names: new Set(), phrases: new Set() }
    found.set(term, subject)
    for (const name of names.map(foldName)) if (name.length >= MIN_NAME) subject.names.add(name)
    for (const phrase of phrases) subject.phrases.add(phrase)
  }
  return [...found].map(([term, { names, phrases }]) => ({ term, names: [...names], phrases: [...phrases] }))
}

const itemsOf = (list: string): string[] =>
  list
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const foldName = (name: string): string => foldKatakana(normalise(name.replace(NOTE, '').trim()))

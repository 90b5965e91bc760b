import { MAX_QUERY_CHARS } from '@sekisho/contract/search-response'
import type { AskedQuestion, EarlierTurn } from '../../answers/passages.ts'

/** A question as a page sends it. */
export interface AskedHere extends AskedQuestion {
  /** Path of the locale whose pages are searched. */
  readonly base: string
}

const MAX_CHARACTERS = {
  question: MAX_QUERY_CHARS,
  page: 1_000,
  selection: 4_000,
  base: 1_000,
  source: 1_000,
}
const MAX_TURNS = 3
const MAX_SOURCES = 8
const NAMES: ReadonlySet<string> = new Set(['question', 'page', 'selection', 'base', 'turns'])

/** Reads a question out of JSON or a form; null for anything else. Texts that are too long are refused, not cut. */
export function readAsked(value: unknown): AskedHere | null {
  if (typeof value !== 'object' || value === null || !Object.keys(value).every((name) => NAMES.has(name)))
    return null
  const given = { page: '', selection: '', base: '/', turns: [], ...value }
  const { question, page, selection, base } = { question: '', ...given }
  const texts = { question, page, selection, base }
  const areTexts = Object.entries(texts).every(
    ([name, text]) => typeof text === 'string' && text.length <= Reflect.get(MAX_CHARACTERS, name),
  )
  const turns = readTurns(given.turns)
  if (!areTexts || turns === null || question.trim() === '') return null
  return { question: question.trim(), page, selection, base, turns }
}

function readTurns(value: unknown): readonly EarlierTurn[] | null {
  if (!Array.isArray(value) || value.length > MAX_TURNS) return null
  const turns = value.map(Object).flatMap(({ question, sources }) => {
    const isTurn =
      isText(question, MAX_CHARACTERS.question) &&
      Array.isArray(sources) &&
      sources.length <= MAX_SOURCES &&
      sources.every((source) => isText(source, MAX_CHARACTERS.source))
    return isTurn ? [{ question, sources }] : []
  })
  return turns.length === value.length ? turns : null
}

const isText = (value: unknown, max: number): boolean => typeof value === 'string' && value.length <= max

/** Reads `{ question, helpful }`; null for anything else. */
export function readFeedback(
  value: unknown,
): { readonly question: string; readonly helpful: boolean } | null {
  const { question, helpful } = Object(value)
  if (!isText(question, MAX_CHARACTERS.question) || typeof helpful !== 'boolean') return null
  return { question, helpful }
}

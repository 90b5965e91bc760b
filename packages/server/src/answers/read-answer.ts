import type { ModelCitation, ModelSentence } from './check-sentence.ts'
import { parseRecord } from './stream-dialects.ts'

/** Callbacks for what a model's text says, in its order. */
interface AnswerParts {
  onSubject(subject: string): void
  onSentence(sentence: ModelSentence): void
}

const MAX_PENDING = 32_768
const MAX_DEPTH = 5
const MAX_CITES = 6
/** Sentences of one answer; the model is asked for eight at most. */
const MAX_SENTENCES = 24

/**
 * Reads JSON objects out of a text that arrives in pieces: one a line, within a list, fenced or with words around them. Each object with a
 * `text` is a sentence; everything else of the text is skipped. A text without an object says nothing.
 */
export function createAnswerReader(parts: AnswerParts): { read(text: string): void } {
  let pending = ''
  let starts: number[] = []
  let at = 0
  let isString = false
  let isEscaped = false
  let sentences = 0

  function take(text: string): void {
    const value = parseRecord(text)
    if (value === null) return
    if (typeof value.subject === 'string' && value.text === undefined && value.quote === undefined)
      parts.onSubject(value.subject.slice(0, 100))
    if (typeof value.text !== 'string' || sentences >= MAX_SENTENCES) return
    sentences += 1
    parts.onSentence(readSentence(value.text, value))
  }

  function step(character: string): void {
    if (isString) {
      if (isEscaped) isEscaped = false
      else if (character === '\\') isEscaped = true
      else if (character === '"') isString = false
    } else if (character === '"' && starts.length > 0) isString = true
    else if (character === '{' && starts.length < MAX_DEPTH) starts.push(at)
    else if (character === '}' && starts.length > 0) take(pending.slice(starts.pop(), at + 1))
  }

  return {
    read(text) {
      pending += text
      for (; at < pending.length; at += 1) step(pending[at] ?? '')
      const [start = at] = starts
      pending = pending.slice(start)
      starts = starts.map((one) => one - start)
      at -= start
      if (pending.length <= MAX_PENDING) return
      ;[pending, starts, at, isString, isEscaped] = ['', [], 0, false, false]
    },
  }
}

function readSentence(text: string, { as, cites }: Record<string, unknown>): ModelSentence {
  const kind = as === 'item' || as === 'code' ? as : 'text'
  const list = Array.isArray(cites) ? cites.slice(0, MAX_CITES) : []
  return { text, kind, cites: list.map(Object).flatMap(readCitation) }
}

function readCitation({ s, quote, subject }: Record<string, unknown>): readonly ModelCitation[] {
  const n = Number(String(s).replace(/^\[?s?(\d+)\]?$/i, '$1'))
  if (!Number.isSafeInteger(n) || typeof quote !== 'string') return []
  return [{ n, quote, subject: typeof subject === 'string' ? subject : '' }]
}

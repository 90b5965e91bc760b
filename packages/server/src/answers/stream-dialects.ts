import { parseOrNull } from '@sekisho/contract/json-shape'

/** Tokens of one request. */
export interface ModelUsage {
  readonly sent: number
  readonly received: number
}

/** Reads one response in any of the dialects of OpenAI's stream. */
interface TextReader {
  /** Returns true at the end of the stream. Throws when the endpoint reports an error in it. */
  read(chunk: Uint8Array): boolean
  /** Reads what is left; null if the endpoint did not count tokens. */
  end(): ModelUsage | null
}

const MAX_LINE_CHARACTERS = 262_144
const DONE = '[DONE]'

/**
 * Reads the stream of any dialect: usage in a last chunk without choices, `stop` in the first one, reasoning in its own field or `<think>`
 * tags, one JSON document in place of events. A finish reason ends nothing; unknown fields are skipped.
 */
export function createTextReader(onText: (text: string) => void): TextReader {
  const decoder = new TextDecoder()
  const thoughts = createThoughtFilter(onText)
  let pending = ''
  let usage: ModelUsage | null = null
  let isEvents: boolean | null = null

  function readObject(text: string): void {
    const chunk = parseRecord(text)
    if (chunk === null) return
    if (chunk.error !== undefined && chunk.error !== null) throw new Error('the endpoint reported an error')
    usage = readUsage(chunk.usage) ?? usage
    const [choice] = Array.isArray(chunk.choices) ? chunk.choices.map(Object) : []
    const text0 = readContent(Object(choice?.delta ?? choice?.message).content)
    if (text0 !== '') thoughts.read(text0)
  }

  /** Returns true for the line that ends the stream. */
  function readLine(line: string): boolean {
    if (!line.startsWith('data:')) return false // comments, event names, ids
    const data = line.slice('data:'.length).trim()
    if (data === DONE) return true
    readObject(data)
    return false
  }

  return {
    read(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      const mayEndLine = /[\r\n]/.test(text) || pending.endsWith('\r')
      pending += isEvents === null ? text.trimStart() : text
      if (isEvents === null && pending !== '') isEvents = !pending.startsWith('{')
      if (isEvents !== true || (!mayEndLine && pending.length <= MAX_LINE_CHARACTERS)) return false
      const lines = pending.split(/\r\n|\n|\r(?!$)/)
      pending = lines.pop() ?? ''
      if (pending.length > MAX_LINE_CHARACTERS) throw new Error('a line of the stream is too long')
      return lines.some(readLine)
    },
    end() {
      pending += decoder.decode()
      if (isEvents === true) readLine(pending.trim())
      else if (pending.trim() !== '') readObject(pending)
      thoughts.end()
      return usage
    },
  }
}

/** Parses an object of JSON; null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  const value = parseOrNull(text)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/** Text, or a list of parts of which some are text. */
function readContent(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(Object)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('')
}

function readUsage(value: unknown): ModelUsage | null {
  const { prompt_tokens: sent, completion_tokens: received } = Object(value)
  const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) >= 0
  return isCount(sent) && isCount(received) ? { sent, received } : null
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Removes reasoning between tags, which may be cut anywhere. */
function createThoughtFilter(onText: (text: string) => void) {
  let pending = ''
  let isThought = false
  return {
    read(text: string): void {
      pending += text
      for (;;) {
        const tag = isThought ? CLOSE : OPEN
        const at = pending.indexOf(tag)
        const end = at === -1 ? pending.length - cutTagLength(pending, tag) : at
        if (!isThought && end > 0) onText(pending.slice(0, end))
        pending = pending.slice(at === -1 ? end : end + tag.length)
        if (at === -1) return
        isThought = !isThought
      }
    },
    end(): void {
      if (!isThought && pending !== '') onText(pending)
      pending = ''
    },
  }
}

/** Characters at the end of a text that begin the tag. */
function cutTagLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length
  return 0
}

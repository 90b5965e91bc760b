import { TEXTS } from '../texts/index.ts'
import { createMessages, type Message, type MessageOrText } from '../texts/language.ts'

const problemOf = createMessages(TEXTS, 'shape')

/** Problems kept of one value: enough to mend it by, and no more memory than that for a hostile one. */
export const MAX_PROBLEMS = 100
const MAX_QUOTED_CHARS = 200

/** A name of an untrusted value in a problem: in quotation marks, and cut. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name)
}

/** Collects problems of an untrusted JSON value, the first {@link MAX_PROBLEMS}, each with the place it was found. */
export class ShapeReader {
  readonly problems: Message[] = []
  /** The entry of a long table being read; kept apart from `where`, so that no text is made for good entries. */
  entry: string | null = null

  /** True once no more problems are kept: a reader of a long table may stop. */
  get isFull(): boolean {
    return this.problems.length >= MAX_PROBLEMS
  }

  /** Notes one problem. */
  report(where: string, what: MessageOrText): void {
    if (this.isFull) return
    const entry = this.entry === null ? '' : ` ${quoteName(this.entry)}`
    this.problems.push(problemOf('at', `${where}${entry}`, what))
  }

  /** An object with no key beyond `keys`; anything else is reported and read as empty. */
  object(value: unknown, where: string, keys: readonly string[]): Record<string, unknown> {
    const record = this.record(value, where)
    for (const key of Object.keys(record)) {
      if (!keys.includes(key)) this.report(where, problemOf('unknown_key', quoteName(key)))
    }
    return record
  }

  /** An object used as a table; its keys are data. */
  record(value: unknown, where: string): Record<string, unknown> {
    if (isRecord(value)) return value
    this.report(where, problemOf('no_object'))
    return {}
  }

  text(value: unknown, where: string): string {
    if (typeof value === 'string') return value
    this.report(where, problemOf('no_text'))
    return ''
  }

  matching(value: unknown, where: string, pattern: RegExp, what: MessageOrText): string {
    if (typeof value === 'string' && pattern.test(value)) return value
    this.report(where, problemOf('must_be', what))
    return ''
  }

  oneOf<const T extends string>(value: unknown, where: string, allowed: readonly [T, ...T[]]): T {
    const found = allowed.find((candidate) => candidate === value)
    if (found !== undefined) return found
    this.report(where, problemOf('not_one_of', allowed))
    return allowed[0]
  }

  count(value: unknown, where: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    this.report(where, problemOf('no_count'))
    return 0
  }

  array(value: unknown, where: string): readonly unknown[] {
    if (Array.isArray(value)) return value
    this.report(where, problemOf('no_array'))
    return []
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON text; null where it is none. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Parses JSON text, or reports it and returns undefined. */
export function parseJson(text: string, where: string, shape: ShapeReader): unknown {
  try {
    return JSON.parse(text)
  } catch {
    shape.report(where, problemOf('no_json'))
    return undefined
  }
}

/** RFC 6265 §5.4: cookies join with a semicolon; every other repeated header joins with a comma (RFC 9110 §5.3). */
const separatorOf = (name: string) => (name === 'cookie' ? '; ' : ', ')

/** Something done to headers. Of those for sealed headers there are a few, each made once and used for every answer. */
export type HeadersChange = (headers: Headers) => void

const MAX_REMEMBERED_CHANGES = 16

/**
 * Headers on one table, for the requests and answers of every page read: making and filling the platform's own
 * costs 8 µs a pair, this less than 1. It does not judge names and values: those of requests were judged by the
 * reader of the wire, those of answers are judged when they are spelled.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>()
  #cookies: string[] | null = null
  #isSealed = false
  /** What was made of sealed headers by each change. */
  #changed: Map<HeadersChange, PlainHeaders> | null = null
  /** What was read out of sealed headers last, and by whom. */
  #derived: object | null = null
  #derivedBy: ((headers: Headers) => object) | null = null

  constructor(init: Readonly<Record<string, string>> = {}) {
    for (const name in init) this.#values.set(foldName(name), init[name] ?? '')
  }

  /** From now on nothing can change these headers, so that many requests or answers may share them. */
  seal(): this {
    if (this.#cookies !== null) throw new TypeError('headers with a cookie belong to one answer')
    this.#isSealed = true
    return this
  }

  get isSealed(): boolean {
    return this.#isSealed
  }

  /** These headers after a change; of sealed ones, a sealed copy that is made once for each change. */
  after(change: HeadersChange): PlainHeaders {
    if (!this.#isSealed) {
      change(this)
      return this
    }
    this.#changed ??= new Map()
    const known = this.#changed.get(change)
    if (known !== undefined) return known
    const copy = this.copy()
    change(copy)
    if (this.#changed.size < MAX_REMEMBERED_CHANGES) this.#changed.set(change, copy)
    return copy.seal()
  }

  /** What `read` makes of these headers and of nothing else; of sealed ones it is not asked again at once. */
  derive<T extends object>(read: (headers: Headers) => T): T {
    if (!this.#isSealed) return read(this)
    if (this.#derivedBy === read) return this.#derived as T // `read` made it
    const made = read(this)
    this.#derived = made
    this.#derivedBy = read
    return made
  }

  /** The same headers, open to changes. */
  copy(): PlainHeaders {
    const copy = new PlainHeaders()
    for (const [name, value] of this.#values) copy.#values.set(name, value)
    if (this.#cookies !== null) copy.#cookies = [...this.#cookies]
    return copy
  }

  /** The table, unless it is sealed: a change to shared headers would reach other readers' answers. */
  #open(): Map<string, string> {
    if (this.#isSealed) throw new TypeError('sealed headers cannot be changed')
    return this.#values
  }

  /** Reads the flat form of the wire: name, value, name, value. */
  static fromWire(raw: readonly string[]): PlainHeaders {
    const headers = new PlainHeaders()
    for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '')
    return headers
  }

  /** The flat form of the wire. */
  toWire(): string[] {
    const flat: string[] = []
    for (const [name, value] of this.#values) flat.push(name, value)
    for (const cookie of this.#cookies ?? []) flat.push('set-cookie', cookie)
    return flat
  }

  get(name: string): string | null {
    const key = foldName(name)
    return this.#values.get(key) ?? (key === 'set-cookie' ? (this.#cookies?.join(', ') ?? null) : null)
  }

  has(name: string): boolean {
    const key = foldName(name)
    return this.#values.has(key) || (key === 'set-cookie' && this.#cookies !== null)
  }

  set(name: string, value: string): void {
    const [key, values] = [foldName(name), this.#open()]
    if (key === 'set-cookie') this.#cookies = [value]
    else values.set(key, value)
  }

  append(name: string, value: string): void {
    this.appendFolded(foldName(name), value)
  }

  /** Appends under a name that is in lower case already. */
  appendFolded(key: string, value: string): void {
    const values = this.#open()
    if (key === 'set-cookie') {
      this.#cookies = [...(this.#cookies ?? []), value]
      return
    }
    const known = values.get(key)
    values.set(key, known === undefined ? value : known + separatorOf(key) + value)
  }

  delete(name: string): void {
    const [key, values] = [foldName(name), this.#open()]
    if (key === 'set-cookie') this.#cookies = null
    else values.delete(key)
  }

  getSetCookie(): string[] {
    return [...(this.#cookies ?? [])]
  }

  /** Sorted by name, as the Fetch standard has it; copying into other headers goes this way too. */
  *entries(): Generator<[string, string], undefined> {
    const pairs = [...this.#values, ...(this.#cookies ?? []).map((cookie) => ['set-cookie', cookie] as const)]
    for (const [name, value] of pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) yield [name, value]
  }

  *keys(): Generator<string, undefined> {
    for (const [name] of this.entries()) yield name
  }

  *values(): Generator<string, undefined> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries()
  }

  forEach(callback: (value: string, name: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this.entries()) callback.call(self, value, name, this)
  }
}

/** What `read` makes of headers and of nothing else; of those that requests share it is not asked again at once. */
export function derive<T extends object>(headers: Headers, read: (headers: Headers) => T): T {
  return headers instanceof PlainHeaders ? headers.derive(read) : read(headers)
}

/** The names our own code asks for: folding one anew costs more than finding it. */
const MAX_FOLDED = 256
const MAX_FOLDED_CHARS = 64
const folded = new Map<string, string>()

/** A field name in lower case: they are case-insensitive (RFC 9110 §5.1). */
function foldName(name: string): string {
  const known = folded.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (folded.size < MAX_FOLDED && name.length <= MAX_FOLDED_CHARS) folded.set(name, lower)
  return lower
}

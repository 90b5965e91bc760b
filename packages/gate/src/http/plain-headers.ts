/** RFC 6265 §5.4: cookies join with a semicolon; every other repeated header joins with a comma (RFC 9110 §5.3). */
const separatorOf = (name: string) => (name === 'cookie' ? '; ' : ', ')

/**
 * Headers on one table, for the requests and answers of every page read: making and filling the platform's own
 * costs 8 µs a pair, this less than 1. It does not judge names and values: those of requests were judged by the
 * reader of the wire, those of answers are judged when they are spelled.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>()
  #cookies: string[] | null = null

  constructor(init: Readonly<Record<string, string>> = {}) {
    for (const name in init) this.#values.set(name.toLowerCase(), init[name] ?? '')
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
    const key = name.toLowerCase()
    return this.#values.get(key) ?? (key === 'set-cookie' ? (this.#cookies?.join(', ') ?? null) : null)
  }

  has(name: string): boolean {
    const key = name.toLowerCase()
    return this.#values.has(key) || (key === 'set-cookie' && this.#cookies !== null)
  }

  set(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = [value]
    else this.#values.set(key, value)
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') {
      this.#cookies = [...(this.#cookies ?? []), value]
      return
    }
    const known = this.#values.get(key)
    this.#values.set(key, known === undefined ? value : known + separatorOf(key) + value)
  }

  /** Adds what is missing; `defaults` are lower-case names and their values. */
  complete(defaults: readonly (readonly [name: string, value: string])[]): void {
    for (const [name, value] of defaults) {
      if (!this.#values.has(name)) this.#values.set(name, value)
    }
  }

  delete(name: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = null
    else this.#values.delete(key)
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

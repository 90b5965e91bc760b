/** RFC 6265 §5.4: cookies join with a semicolon; every other repeated header joins with a comma (RFC 9110 §5.3). */
const separatorOf = (name: string) => (name === 'cookie' ? '; ' : ', ')

/**
 * `Headers` as a plain table. The platform's own judge and copy each name and value again, which takes a quarter of the
 * time of a page (decisions/024); here requests are judged by the parser, and responses when they are serialized.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>()
  #cookies: readonly string[] = []

  constructor(init: Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Object.entries(init)) this.set(name, value)
  }

  static from(headers: Iterable<readonly [string, string]>): PlainHeaders {
    const copy = new PlainHeaders()
    for (const [name, value] of headers) copy.append(name, value)
    return copy
  }

  get(name: string): string | null {
    const key = name.toLowerCase()
    if (key === 'set-cookie') return this.#cookies.length === 0 ? null : this.#cookies.join(', ')
    return this.#values.get(key) ?? null
  }

  has(name: string): boolean {
    const key = name.toLowerCase()
    return key === 'set-cookie' ? this.#cookies.length > 0 : this.#values.has(key)
  }

  set(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = [value]
    else this.#values.set(key, value)
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') {
      this.#cookies = [...this.#cookies, value]
      return
    }
    const known = this.#values.get(key)
    this.#values.set(key, known === undefined ? value : known + separatorOf(key) + value)
  }

  delete(name: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = []
    else this.#values.delete(key)
  }

  getSetCookie(): string[] {
    return [...this.#cookies]
  }

  /** Every header as it is sent, in the order in which they were set; each cookie is one. */
  fields(): [name: string, value: string][] {
    return [...this.#values, ...this.#cookies.map((cookie): [string, string] => ['set-cookie', cookie])]
  }

  /** Sorted by name, as the Fetch standard has it; copying into other headers goes this way too. */
  *entries(): Generator<[string, string], undefined> {
    yield* this.fields().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
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
    for (const [name, value] of this) callback.call(self, value, name, this)
  }
}

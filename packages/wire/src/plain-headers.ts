/** RFC 6265 §5.4: cookies join with a semicolon; every other repeated header joins with a comma (RFC 9110 §5.3). */
const separatorOf = (name: string) => (name === 'cookie' ? '; ' : ', ')

/** A token (RFC 9110 §5.6.2), in lower case. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
/** Characters forbidden in a value (RFC 9110 §5.5): a line end would begin an injected header. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** One header as it is sent. Throws a TypeError for what cannot be sent as one. */
function serializeHeader(name: string, value: string): string {
  if (!FIELD_NAME.test(name) || UNSENDABLE.test(value)) {
    throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`) // not its value: it may be secret
  }
  return `${name}: ${value}\r\n`
}

const NO_LINES: ReadonlyMap<string, string> = new Map()

/** Headers that responses carry unless they say otherwise: constant, so they are judged and serialized once. */
export class DefaultHeaders {
  readonly values: ReadonlyMap<string, string>
  readonly lines: ReadonlyMap<string, string>

  constructor(headers: readonly (readonly [name: string, value: string])[]) {
    this.values = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
    this.lines = new Map([...this.values].map(([name, value]) => [name, serializeHeader(name, value)]))
  }
}

/**
 * `Headers` as a plain table. The platform's own judge and copy each name and value again, which takes a quarter of the
 * time of a page (decisions/024); here requests are judged by the parser, and responses when they are serialized.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>()
  #cookies: readonly string[] = []
  #defaults: DefaultHeaders | null = null

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
    return this.#values.get(key) ?? this.#defaults?.values.get(key) ?? null
  }

  has(name: string): boolean {
    const key = name.toLowerCase()
    if (key === 'set-cookie') return this.#cookies.length > 0
    return this.#values.has(key) || this.#defaults?.values.has(key) === true
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
    const known = this.get(key)
    this.#values.set(key, known === null ? value : known + separatorOf(key) + value)
  }

  delete(name: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = []
    this.#values.delete(key)
    if (this.#defaults?.values.has(key) === true) this.#ownDefaults(key)
  }

  getSetCookie(): string[] {
    return [...this.#cookies]
  }

  /** Adds those of the headers that are not there yet; in place of any that were added so before. */
  addDefaults(headers: DefaultHeaders): void {
    this.#ownDefaults()
    this.#defaults = headers
  }

  /** The header section. Throws a TypeError when one of the headers cannot be sent. */
  serialize(): string {
    let text = ''
    for (const [name, value] of this.#values) text += serializeHeader(name, value)
    for (const cookie of this.#cookies) text += serializeHeader('set-cookie', cookie)
    for (const [name, line] of this.#defaults?.lines ?? NO_LINES) if (!this.#values.has(name)) text += line
    return text
  }

  /** Makes the defaults headers like any other, all but one. */
  #ownDefaults(except = ''): void {
    for (const [name, value] of this.#defaults?.values ?? NO_LINES) {
      if (name !== except && !this.#values.has(name)) this.#values.set(name, value)
    }
    this.#defaults = null
  }

  /** Every header; each cookie is one. */
  #fields(): [name: string, value: string][] {
    const cookies = this.#cookies.map((cookie): [string, string] => ['set-cookie', cookie])
    return [...new Map([...(this.#defaults?.values ?? NO_LINES), ...this.#values]), ...cookies]
  }

  /** Sorted by name, as the Fetch standard has it; copying into other headers goes this way too. */
  *entries(): Generator<[string, string], undefined> {
    yield* this.#fields().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
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

/** A request that a page offers to try: always a GET of the portal's own address. */
export interface TryRequest {
  /** With names in braces; begins with a slash. */
  readonly path: string
  readonly fields: readonly TryField[]
}

/** Input field of the reader. */
export interface TryField {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** Initial value. */
  readonly value: string
  /** Permitted values, where they are listed. */
  readonly values: readonly string[]
}

/** A reader's input, by `keyOf` of its field. */
type TryValues = Readonly<Record<string, string>>

/** Unique key of a field within a request. */
export const keyOf = ({ in: place, name }: TryField): string => `${place} ${name}`

/** Class of the element with a page's trial request, as JSON. */
export const TRY_CLASS = 'sekisho-try'

/** The request with what was filled in: its address, which begins with one slash, and its headers. Empty fields are left out. */
export function filledRequest({ path, fields }: TryRequest, values: TryValues) {
  const given = (place: TryField['in']) =>
    fields
      .filter((field) => field.in === place)
      .map((field) => ({ name: field.name, value: values[keyOf(field)] ?? '' }))
      .filter(({ value }) => value !== '')
  const target = given('path').reduce(
    (filled, { name, value }) => filled.replaceAll(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(given('query').map(({ name, value }) => [name, value])).toString()
  return {
    address: `/${target.replace(/^[/\\]+/, '')}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(given('header').map(({ name, value }) => [name, value])),
  }
}

/** Reads what a page offers to try; null for anything else. */
export function readTryRequest(text: string): TryRequest | null {
  const value: unknown = JSON.parse(text)
  const { path, fields } = Object(value)
  return typeof path === 'string' && Array.isArray(fields) ? { path, fields } : null
}

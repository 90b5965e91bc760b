/** Texts of an API's pages. */
export interface ApiTexts {
  readonly version: string
  readonly servers: string
  readonly auth: string
  readonly operations: string
  readonly operationsIn: (name: string) => string
  readonly others: string
  readonly webhooks: string
  readonly schemas: string
  readonly schemasAbout: string
  readonly path: string
  readonly query: string
  readonly header: string
  readonly cookie: string
  readonly request: string
  readonly responses: string
  readonly response: (status: string) => string
  readonly headers: string
  readonly callbacks: string
  readonly sample: string
  readonly example: string
  readonly fields: string
  readonly required: string
  readonly optional: string
  readonly deprecated: string
  readonly deprecatedAbout: string
  readonly readOnly: string
  readonly writeOnly: string
  readonly anyOf: string
  readonly or: string
  readonly comma: string
  readonly listOf: (type: string) => string
  readonly multipleOf: (value: number) => string
  readonly between: string
  readonly values: (list: string) => string
  readonly fallback: (value: string) => string
  readonly exampleOf: (value: string) => string
  readonly map: (type: string) => string
  readonly anything: string
  readonly noAuth: string
  readonly authBy: (names: string) => string
  readonly apiKey: (place: string, name: string) => string
  readonly places: Readonly<Record<'query' | 'header' | 'cookie', string>>
  readonly range: (
    from: number | undefined,
    to: number | undefined,
    unit: 'value' | 'chars' | 'items',
  ) => string
  readonly more: (limit: number) => string
  readonly less: (limit: number) => string
  readonly pattern: string
  readonly unique: string
  readonly method: string
  readonly name: string
  readonly kind: string
  readonly about: string
  readonly place: string
  /** Title of the only page of a definition that could not be read. */
  readonly unread: string
}

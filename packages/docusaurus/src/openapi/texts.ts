/** What the pages of an API say by themselves. */
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
}

const JAPANESE: ApiTexts = {
  version: '版',
  servers: '接続先',
  auth: '認証',
  operations: '操作',
  operationsIn: (name) => `「${name}」の操作の一覧です。`,
  others: 'その他',
  webhooks: 'Webhook',
  schemas: 'データ型',
  schemasAbout: 'リクエストとレスポンスに現れるデータ型の一覧です。',
  path: 'パスパラメーター',
  query: 'クエリパラメーター',
  header: 'リクエストヘッダー',
  cookie: 'Cookie',
  request: 'リクエストボディ',
  responses: 'レスポンス',
  response: (status) => (status === 'default' ? 'そのほかのステータス' : status),
  headers: 'レスポンスヘッダー',
  callbacks: 'コールバック',
  sample: '実行例',
  example: '例',
  fields: '項目',
  required: '**必須**',
  optional: '省略可',
  deprecated: '非推奨',
  deprecatedAbout: '新しく使わないでください。',
  readOnly: '読み取り専用',
  writeOnly: '書き込み専用',
  anyOf: '次のいずれか',
  or: ' または ',
  comma: '、',
  listOf: (type) => `${type} の配列`,
  multipleOf: (value) => `${value} の倍数`,
  between: '・',
  values: (list) => `値は ${list} のいずれか`,
  fallback: (value) => `既定値 ${value}`,
  exampleOf: (value) => `例 ${value}`,
  map: (type) => `任意の名前の項目（値は ${type}）`,
  anything: '任意の値',
  noAuth: '認証: 不要',
  authBy: (names) => `認証: ${names}`,
  apiKey: (place, name) => `${place} ${name} で送る API キー`,
  places: { query: 'クエリパラメーター', header: 'ヘッダー', cookie: 'Cookie' },
  range(from, to, unit) {
    const counter = { value: '', chars: ' 文字', items: ' 個' }[unit]
    if (from !== undefined && to !== undefined)
      return from === to ? `ちょうど ${from}${counter}` : `${from}～${to}${counter}`
    const unitOrGap = counter || ' '
    return from === undefined ? `${to}${unitOrGap}以下` : `${from}${unitOrGap}以上`
  },
  more: (limit) => `${limit} より大きい`,
  less: (limit) => `${limit} より小さい`,
  pattern: '形式',
  unique: '重複なし',
  method: 'メソッドとパス',
  name: '名前',
  kind: '種類',
  about: '説明',
  place: '接続先',
}

const ENGLISH: ApiTexts = {
  version: 'Version',
  servers: 'Servers',
  auth: 'Authentication',
  operations: 'Operations',
  operationsIn: (name) => `The operations of ${name}.`,
  others: 'Others',
  webhooks: 'Webhooks',
  schemas: 'Schemas',
  schemasAbout: 'The data that requests and responses are made of.',
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
  cookie: 'Cookies',
  request: 'Request body',
  responses: 'Responses',
  response: (status) => (status === 'default' ? 'Any other status' : status),
  headers: 'Response headers',
  callbacks: 'Callbacks',
  sample: 'Sample',
  example: 'Example',
  fields: 'Fields',
  required: '**required**',
  optional: 'optional',
  deprecated: 'Deprecated',
  deprecatedAbout: 'Do not use this in anything new.',
  readOnly: 'read only',
  writeOnly: 'write only',
  anyOf: 'One of these',
  or: ' or ',
  comma: ', ',
  listOf: (type) => `list of ${type}`,
  multipleOf: (value) => `a multiple of ${value}`,
  between: ' · ',
  values: (list) => `one of ${list}`,
  fallback: (value) => `default ${value}`,
  exampleOf: (value) => `example ${value}`,
  map: (type) => `fields of any name (values: ${type})`,
  anything: 'anything',
  noAuth: 'Authentication: none',
  authBy: (names) => `Authentication: ${names}`,
  apiKey: (place, name) => `API key in the ${place} ${name}`,
  places: { query: 'query parameter', header: 'header', cookie: 'cookie' },
  range(from, to, unit) {
    const counter = { value: '', chars: ' characters', items: ' items' }[unit]
    if (from !== undefined && to !== undefined)
      return from === to ? `exactly ${from}${counter}` : `${from}–${to}${counter}`
    return from === undefined ? `at most ${to}${counter}` : `at least ${from}${counter}`
  },
  more: (limit) => `more than ${limit}`,
  less: (limit) => `less than ${limit}`,
  pattern: 'pattern',
  unique: 'no duplicates',
  method: 'Method and path',
  name: 'Name',
  kind: 'Kind',
  about: 'Description',
  place: 'Server',
}

/** The labels for a locale: Japanese for `ja`, English for every other one. */
export const textsFor = (locale: string): ApiTexts => (locale.startsWith('ja') ? JAPANESE : ENGLISH)

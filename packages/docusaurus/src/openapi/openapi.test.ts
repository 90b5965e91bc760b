import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROUTES } from '@sekisho/contract/routes'
import { expect, it } from 'vitest'
import { METHODS, type PathItem } from './document.ts'
import { writePages } from './pages.ts'
import { validateOptions } from './plugin.ts'
import { readDocument } from './read-document.ts'
import { createSampleBodies } from './samples.ts'
import { textsFor } from './texts/index.ts'

const SITE = fileURLToPath(new URL('../../../../site', import.meta.url))

/** A site with one definition, and with the libraries of our own portal. */
function siteWith(definition: string): string {
  const site = mkdtempSync(path.join(tmpdir(), 'sekisho-openapi-'))
  symlinkSync(path.join(SITE, '../node_modules'), path.join(site, 'node_modules'))
  writeFileSync(path.join(site, 'package.json'), '{}')
  writeFileSync(path.join(site, 'api.yaml'), definition)
  return site
}

async function pagesOf(definition: string, locale = 'ja') {
  const site = siteWith(definition)
  const { document } = await readDocument(site, 'api.yaml')
  const sample = createSampleBodies(site, document)
  return writePages({ document, texts: textsFor(locale), sample, origin: 'https://docs.example' })
}

const HEAD = 'openapi: 3.1.0\ninfo: { title: 例, version: "1" }\n'

const SHOP = `${HEAD}
servers: [{ url: 'https://{host}/v1', variables: { host: { default: api.example } } }]
paths:
  /items/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string }, example: 'a b' }
    put:
      tags: [商品]
      summary: 商品を <変更> する
      operationId: putItem
      deprecated: true
      security: [{ key: [] }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Item' }
      responses:
        '200':
          description: 変更後の商品。
          content:
            application/json: { schema: { $ref: '#/components/schemas/Item' } }
        default: { description: そのほか }
webhooks:
  sold:
    post: { summary: 売れたとき, responses: { '200': { description: ok } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Item:
      description: |
        # 商品
        {中括弧} と <tag> を含む説明。
      allOf:
        - { $ref: '#/components/schemas/Named' }
        - type: object
          required: [price]
          properties:
            id: { type: string, readOnly: true }
            price: { type: integer, minimum: 1, description: 税込み。 }
            parent: { $ref: '#/components/schemas/Item' }
            size:
              oneOf: [{ type: string, enum: [S, L] }, { type: object, properties: { cm: { type: number } } }]
    Named:
      type: object
      required: [name]
      properties: { name: { type: [string, 'null'], examples: [茶碗] } }
`

it('makes a page for each operation: fields of every part, limits, alternatives, links where types go round', async () => {
  const pages = await pagesOf(SHOP)
  expect([...pages.keys()].filter((name) => name.endsWith('.md')).sort()).toEqual(
    [
      'index.md',
      'schemas/index.md',
      'schemas/item.md',
      'schemas/named.md',
      'webhook/index.md',
      'webhook/post-sold.md',
      '商品/index.md',
      '商品/put-item.md',
    ].sort(),
  )
  const page = pages.get('商品/put-item.md') ?? ''
  expect(page).toContain('# 商品を \\<変更\\> する')
  expect(page).toContain('```http\nPUT /items/{id}\n```')
  expect(page).toContain(':::warning[非推奨]')
  expect(page).toContain('- `name`: `string` または `null`・**必須**・例 `"茶碗"`')
  expect(page).toContain('- `price`: `integer`・**必須**・1 以上\n\n  税込み。')
  expect(page).toContain('- `parent`: [`Item`](../schemas/item.md)')
  expect(page).toContain('次のいずれか:')
  expect(page).toContain('    - `cm`: `number`')
  expect(page).toContain('### 200: 変更後の商品 {#200}\n\n`application/json`: [`Item`](../schemas/item.md)')
  expect(page).toContain('### そのほかのステータス: そのほか {#default}')
  expect(pages.get('schemas/item.md')).toContain('### 商品\n{中括弧} と <tag> を含む説明。')
  expect(pages.get('webhook/post-sold.md')).not.toContain('curl')
})

it('shows the request as a command, without fields that are only read, with the secret as a variable', async () => {
  const page = (await pagesOf(SHOP)).get('商品/put-item.md') ?? ''
  const command = /```bash title="curl"\n([\s\S]*?)\n```/.exec(page)?.[1] ?? ''
  expect(command.split(' \\\n  ').slice(0, 3)).toEqual([
    "curl --request PUT 'https://api.example/v1/items/a%20b'",
    '--header "X-Key: $API_KEY"',
    "--header 'Content-Type: application/json'",
  ])
  expect(command).toContain('"name": "茶碗"')
  expect(command).not.toContain('"id"')
})

it('offers to try what only reads, and of the portal itself alone', async () => {
  const pages = await pagesOf(
    `${HEAD}paths:
  /own/{id}:
    parameters: [{ name: id, in: path, required: true, example: 'a"b' , schema: { type: string } }]
    get: { operationId: own, parameters: [{ name: kind, in: query, schema: { type: string, enum: [x, y] } }], responses: { '200': { description: a } } }
    post: { operationId: write, responses: { '200': { description: a } } }
  /there:
    servers: [{ url: 'https://there.test' }]
    get: { operationId: there, responses: { '200': { description: a } } }
`,
  )
  const offers = [...pages].flatMap(([name, page]) => {
    const json = /data-request="([^"]*)"/.exec(page)?.[1]
    return json === undefined ? [] : [[name, JSON.parse(json.replaceAll('&quot;', '"'))]]
  })
  expect(offers).toEqual([
    [
      'その他/own.md',
      {
        path: '/own/{id}',
        fields: [
          { name: 'id', in: 'path', required: true, value: 'a"b', values: [] },
          { name: 'kind', in: 'query', required: false, value: '', values: ['x', 'y'] },
        ],
      },
    ],
  ])
})

it('speaks English on an English site', async () => {
  const page = (await pagesOf(SHOP, 'en')).get('商品/put-item.md') ?? ''
  expect(page).toContain('## Request body')
  expect(page).toContain('- `price`: `integer` · **required** · at least 1')
})

it.each([
  ['swagger: "2.0"\ninfo: { title: a, version: b }\npaths: {}\n', 'Swagger 2.0 の定義は読めません'],
  ['a: 1\n', 'api.yaml: OpenAPI の定義として読めません'],
  ['openapi: 3.1.0\ninfo: { title: "a\npaths: [\n', 'api.yaml:3: YAML または JSON として読めません'],
  [`${HEAD}paths:\n  /a:\n    gett: {}\n`, 'api.yaml:5: `gett` はここには書けません'],
  [`${HEAD}paths: { /a: { $ref: b.yaml } }\n`, 'api.yaml:3: $ref の先がありません'],
  ['openapi: 3.1.0\ninfo: { title: a }\npaths: {}\n', 'api.yaml:2: `version` がありません'],
])('refuses %j and names the line', async (definition, problem) => {
  await expect(readDocument(siteWith(definition), 'api.yaml')).rejects.toThrow(problem)
})

it('says which file is missing, and which library', async () => {
  const site = siteWith(HEAD)
  await expect(readDocument(site, 'none.yaml')).rejects.toThrow('none.yaml がありません')
  const bare = mkdtempSync(path.join(tmpdir(), 'sekisho-openapi-'))
  writeFileSync(path.join(bare, 'package.json'), '{}')
  await expect(readDocument(bare, 'api.yaml')).rejects.toThrow('npm install --save-dev @redocly/openapi-core')
})

it('reads references into other files', async () => {
  const site = siteWith(`${HEAD}paths: { /a: { $ref: part.yaml } }\n`)
  const part = path.join(site, 'part.yaml')
  writeFileSync(part, 'get: { summary: 別のファイル, responses: { "200": { description: ok } } }\n')
  const { document, files } = await readDocument(site, 'api.yaml')
  expect(JSON.stringify(document.paths)).toContain('別のファイル')
  expect(files).toContain(part)
})

it('refuses options that name no definition, or an id the search would not know', () => {
  const check = (options: object) => () =>
    validateOptions({ options: options as never, validate: () => null as never })
  expect(check({})).toThrow('file には')
  expect(check({ file: 'a.yaml', id: 'shop' })).toThrow('id は "openapi" で')
  expect(check({ file: 'a.yaml', id: 'default' })()).toMatchObject({ id: 'openapi', routeBasePath: 'api' })
})

it("our portal's example describes routes that the gate has", async () => {
  const { document } = await readDocument(SITE, 'openapi/gate.yaml')
  expect(readFileSync(path.join(SITE, 'docusaurus.config.ts'), 'utf8')).toContain('openapi/gate.yaml')
  for (const [route, item] of Object.entries(document.paths ?? {})) {
    const known = Object.values(ROUTES).find((one) => one.path === route)
    const methods = METHODS.filter((method) => (item as PathItem)[method] !== undefined)
    expect(known?.methods, route).toEqual(expect.arrayContaining(methods.map((one) => one.toUpperCase())))
  }
})

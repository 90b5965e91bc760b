import { resolve, type Schema, type SecurityScheme } from './document.ts'
import { bodyOf, type FieldsContext, typeOf } from './fields.ts'
import { block, code, description, firstSentence, join, pageHead, plain } from './markdown-text.ts'
import { operationPage, type PagesInput } from './operation-page.ts'
import { groupOperations, type OperationGroup, uniqueSlugs } from './operations.ts'
import { bodyText, serverUrl } from './samples.ts'
import type { ApiTexts } from './texts/api-texts.ts'

const SCHEMAS = 'schemas'

/** The pages of an API by their files: an overview, one for each tag, operation and named schema. */
export function writePages(input: PagesInput): Map<string, string> {
  const { document, texts } = input
  const groups = groupOperations(document, texts, [SCHEMAS])
  const fileOf = uniqueSlugs(['index', 'readme'])
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({
    name,
    schema,
    file: `${fileOf(name)}.md`,
  }))
  const files = new Map(schemas.map(({ name, file }) => [name, file]))
  const context = (folder: string): FieldsContext => ({
    document,
    texts,
    schemaHref: (name) => `${folder}${files.get(name)}`,
  })
  const pages = new Map([['index.md', overview(input, groups, schemas.length > 0)]])
  for (const [at, group] of groups.entries()) {
    pages.set(`${group.folder}/_category_.json`, category(group.name, at + 2))
    pages.set(`${group.folder}/index.md`, groupPage(group, texts))
    for (const [position, operation] of group.operations.entries())
      pages.set(
        `${group.folder}/${operation.file}.md`,
        operationPage(operation, { ...input, position: position + 1, context: context(`../${SCHEMAS}/`) }),
      )
  }
  if (schemas.length === 0) return pages
  pages.set(`${SCHEMAS}/_category_.json`, category(texts.schemas, groups.length + 2))
  pages.set(`${SCHEMAS}/index.md`, schemaList(schemas, texts))
  for (const { name, schema, file } of schemas)
    pages.set(`${SCHEMAS}/${file}`, schemaPage(name, schema, input, context('./')))
  return pages
}

const category = (label: string, position: number): string => JSON.stringify({ label, position })

/** A cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function overview(input: PagesInput, groups: readonly OperationGroup[], hasSchemas: boolean): string {
  const { document, texts, origin } = input
  const { title, version, description: about } = document.info
  const servers = (document.servers ?? []).map((server) => [
    code(serverUrl(server, origin)),
    firstSentence(server.description) ?? '',
  ])
  return join(
    pageHead({ title, description: firstSentence(about) ?? title, position: 1 }),
    `${texts.version}: ${code(version)}`,
    description(about, 2),
    servers.length > 0 && `## ${texts.servers} {#servers}\n\n${table([texts.place, texts.about], servers)}`,
    authSection(input),
    `## ${texts.operations} {#operations}`,
    ...groups.flatMap((group) => [
      `### [${plain(group.name)}](./${group.folder}/index.md)`,
      operationTable(group, `./${group.folder}/`, texts),
    ]),
    hasSchemas && `## [${texts.schemas}](./${SCHEMAS}/index.md) {#schemas}\n\n${texts.schemasAbout}`,
  )
}

function operationTable({ operations }: OperationGroup, folder: string, texts: ApiTexts): string {
  const rows = operations.map(({ method, path, title, file, operation }) => [
    `[${plain(title)}](${folder}${file}.md)${operation.deprecated === true ? ` (${texts.deprecated})` : ''}`,
    code(`${method.toUpperCase()} ${path}`),
  ])
  return table([texts.name, texts.method], rows)
}

const groupPage = (group: OperationGroup, texts: ApiTexts): string =>
  join(
    pageHead({
      title: group.name,
      description: firstSentence(group.description) ?? texts.operationsIn(group.name),
    }),
    description(group.description) || texts.operationsIn(plain(group.name)),
    operationTable(group, './', texts),
  )

function schemaList(
  schemas: readonly { name: string; schema: Schema; file: string }[],
  texts: ApiTexts,
): string {
  const rows = schemas.map(({ name, schema, file }) => [
    `[${code(name)}](./${file})`,
    (typeof schema === 'object' && firstSentence(schema.description)) || '',
  ])
  return join(
    pageHead({ title: texts.schemas, description: texts.schemasAbout }),
    texts.schemasAbout,
    table([texts.name, texts.about], rows),
  )
}

function schemaPage(
  name: string,
  schema: Schema,
  { sample, texts }: PagesInput,
  context: FieldsContext,
): string {
  const about = typeof schema === 'object' ? schema.description : undefined
  const [first] = sample({ schema }, 'response')
  const body = bodyOf(schema, context)
  return join(
    pageHead({ title: name, description: firstSentence(about) ?? name, keywords: [texts.schemas] }),
    description(about),
    body === '' ? typeOf(schema, context) : `## ${texts.fields} {#fields}\n\n${body}`,
    first !== undefined && `## ${texts.example} {#example}\n\n${block('json', bodyText(first.value))}`,
  )
}

function authSection({ document, texts }: PagesInput): string {
  const schemes = Object.entries(document.components?.securitySchemes ?? {})
  if (schemes.length === 0) return ''
  const rows = schemes.map(([name, given]) => {
    const scheme = resolve<SecurityScheme>(document, given)
    return [code(name), describeScheme(scheme, texts), firstSentence(scheme.description) ?? '']
  })
  return `## ${texts.auth} {#auth}\n\n${table([texts.name, texts.kind, texts.about], rows)}`
}

function describeScheme(scheme: SecurityScheme, texts: ApiTexts): string {
  if (scheme.type === 'apiKey')
    return texts.apiKey(texts.places[scheme.in ?? 'header'], code(scheme.name ?? ''))
  if (scheme.type === 'http') return `HTTP ${plain(scheme.scheme ?? '')}`
  return { oauth2: 'OAuth 2.0', openIdConnect: 'OpenID Connect', mutualTLS: 'mTLS' }[scheme.type]
}

import {
  type ApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  resolve,
  type SecurityRequirement,
} from './document.ts'
import { bodyOf, type Field, type FieldsContext, fieldList, typeOf } from './fields.ts'
import { block, code, description, firstSentence, join, pageHead, plain } from './markdown-text.ts'
import type { ApiOperation } from './operations.ts'
import { bodyText, curlCommand, type Direction, type SampleBodies, serverUrl } from './samples.ts'
import type { ApiTexts } from './texts/api-texts.ts'
import { TRY_CLASS, type TryField, type TryRequest } from './try-it/request.ts'

/** Input of the pages. */
export interface PagesInput {
  readonly document: ApiDocument
  readonly texts: ApiTexts
  readonly sample: SampleBodies
  /** The portal's own origin, which relative addresses of servers belong to. */
  readonly origin: string
}

interface PageInput extends PagesInput {
  readonly context: FieldsContext
  /** Its place among the operations of its tag. */
  readonly position: number
}

interface OperationInput extends PageInput {
  /** Schemas that the page has expanded already. */
  readonly opened: Set<string>
}

const PLACES = ['path', 'query', 'header', 'cookie'] as const

/** The page of an operation: what is asked, what is answered, and a command that tries it. */
export function operationPage(one: ApiOperation, page: PageInput): string {
  const input = { ...page, opened: new Set<string>() }
  const { document, texts, context, position } = input
  const { operation, method, path, title } = one
  const request = `${method.toUpperCase()} ${path}`
  const security = operation.security ?? document.security
  return join(
    pageHead({
      title,
      description: firstSentence(operation.description) ?? request,
      keywords: [request, ...(operation.operationId === undefined ? [] : [operation.operationId])],
      position,
    }),
    block('http', request),
    operation.deprecated === true && `:::warning[${texts.deprecated}]\n\n${texts.deprecatedAbout}\n\n:::`,
    description(operation.description),
    security !== undefined && !one.isWebhook && requirement(security, texts),
    ...PLACES.map((place) => parameterSection(place, one.parameters, context)),
    requestSection(operation, input),
    !one.isWebhook && sampleSection(one, input),
    tryOffer(one, input),
    responsesSection(operation, input),
    callbacksSection(operation, input),
  )
}

const asField = ({ name, description: about, required, deprecated, schema, content }: Parameter): Field => ({
  name,
  schema: schema ?? Object.values(content ?? {})[0]?.schema ?? true,
  description: about,
  required,
  deprecated,
})

function parameterSection(
  place: (typeof PLACES)[number],
  parameters: readonly Parameter[],
  context: FieldsContext,
): string {
  const here = parameters.filter((one) => one.in === place || (place === 'query' && one.in === 'querystring'))
  if (here.length === 0) return ''
  return `## ${context.texts[place]} {#${place}}\n\n${fieldList(here.map(asField), context)}`
}

function requestSection({ requestBody }: Operation, input: OperationInput): string {
  if (requestBody === undefined) return ''
  const { document, texts } = input
  const body = resolve<RequestBody>(document, requestBody)
  return join(
    `## ${texts.request} {#request}`,
    description(body.description),
    body.required === true ? texts.required : texts.optional,
    contents(body.content, 'request', input),
  ).trimEnd()
}

/** Each media type with its fields and examples; a named schema is opened once on a page, and a link from then on. */
function contents(content: RequestBody['content'], direction: Direction, input: OperationInput): string {
  const { context, sample, opened } = input
  return Object.entries(content)
    .flatMap(([type, media]) => {
      const { schema, example, examples } = media
      if (schema === undefined) return [code(type)]
      const kind = typeOf(schema, context)
      const known = opened.has(`${direction} ${kind}`)
      if (kind.startsWith('[')) opened.add(`${direction} ${kind}`)
      const given = known
        ? { ...(example !== undefined && { example }), ...(examples && { examples }) }
        : media
      return [
        `${code(type)}: ${kind}`,
        known ? '' : bodyOf(schema, context),
        ...sample(given, direction).flatMap(({ title, description: about, value }) => [
          description(about, 4),
          block(languageOf(type), bodyText(value), title ?? context.texts.example),
        ]),
      ]
    })
    .filter((part) => part !== '')
    .join('\n\n')
}

const languageOf = (type: string): string => /\b(json|xml|html|yaml)\b/.exec(type)?.[1] ?? 'text'

function sampleSection(one: ApiOperation, { document, texts, origin, sample }: OperationInput): string {
  const { operation, method, path, server, parameters } = one
  const content = operation.requestBody && resolve<RequestBody>(document, operation.requestBody).content
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  const first = media === undefined ? undefined : sample(media, 'request')[0]
  const body = type === undefined || first === undefined ? null : { type, value: first.value }
  const security = (operation.security ?? document.security)?.[0]
  const command = curlCommand({ method, path, server, origin, parameters, security, body }, document, sample)
  return `## ${texts.sample} {#sample}\n\n${block('bash', command, 'curl')}`
}

/** A place where readers try the request: only what changes nothing, and only of the portal itself, whose session they have. */
function tryOffer(one: ApiOperation, { origin, sample }: OperationInput): string {
  const server = serverUrl(one.server, origin)
  if (one.isWebhook || one.method !== 'get' || !`${server}/`.startsWith(`${origin}/`)) return ''
  const fields = one.parameters.flatMap((parameter): TryField[] => {
    const { name, in: place, required = false, example, schema } = parameter
    if (place === 'cookie' || place === 'querystring') return []
    const [first] = required || example !== undefined ? sample(parameter, 'request') : []
    const { enum: values = [] } = typeof schema === 'object' ? schema : {}
    return [
      {
        name,
        in: place,
        required,
        value: first === undefined ? '' : bodyText(first.value),
        values: values.map(String),
      },
    ]
  })
  const request: TryRequest = { path: `${server.slice(origin.length)}${one.path}`, fields }
  const json = JSON.stringify(request)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
  return `<div class="${TRY_CLASS}" data-request="${json}"></div>`
}

function responsesSection({ responses = {} }: Operation, input: OperationInput): string {
  const { document, texts, context } = input
  const parts = Object.entries(responses).map(([status, given]) => {
    const response = resolve<Response>(document, given)
    const headers = Object.entries(response.headers ?? {}).map(([name, header]) =>
      asField({ in: 'header', ...resolve<Omit<Parameter, 'name' | 'in'>>(document, header), name }),
    )
    const [summary = '', ...others] = (response.description ?? '').trim().split('\n')
    const isShort = summary.length <= 40 && !/[`*[\]<]/.test(summary)
    const head = isShort && summary !== '' ? `: ${plain(summary.replace(/[。.]$/, ''))}` : ''
    return join(
      `### ${texts.response(status)}${head} {#${status.toLowerCase()}}`,
      description(isShort ? others.join('\n') : response.description, 4),
      headers.length > 0 && `**${texts.headers}**\n\n${fieldList(headers, context)}`,
      contents(response.content ?? {}, 'response', input),
    ).trimEnd()
  })
  return parts.length === 0 ? '' : [`## ${texts.responses} {#responses}`, ...parts].join('\n\n')
}

/** Requests that the API itself makes; named with what they are for. */
function callbacksSection({ callbacks = {} }: Operation, { document, texts }: OperationInput): string {
  const items = Object.entries(callbacks).flatMap(([name, given]) =>
    Object.entries(resolve<Record<string, object>>(document, given)).flatMap(([expression, item]) =>
      Object.entries(resolve<PathItem>(document, item)).flatMap(([method, operation]) => {
        const about = Object(operation).summary ?? firstSentence(Object(operation).description) ?? name
        return `- ${code(`${method.toUpperCase()} ${expression}`)}: ${plain(String(about))}`
      }),
    ),
  )
  return items.length === 0 ? '' : `## ${texts.callbacks} {#callbacks}\n\n${items.join('\n')}`
}

/** Requirement of an operation; the alternatives of `security`, each of which may need several schemes. */
function requirement(security: readonly SecurityRequirement[], texts: ApiTexts): string {
  const options = security.map((one) => Object.keys(one))
  if (options.every((names) => names.length === 0)) return texts.noAuth
  const named = options.filter((names) => names.length > 0).map((names) => names.map(code).join(' + '))
  return texts.authBy(`[${named.join(texts.or)}](../index.md#auth)`)
}

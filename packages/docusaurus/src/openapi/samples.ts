import { createRequire } from 'node:module'
import path from 'node:path'
import {
  type ApiDocument,
  type Example,
  type MediaType,
  type Parameter,
  resolve,
  type Schema,
  type SecurityRequirement,
  type SecurityScheme,
  type Server,
} from './document.ts'

/** Direction of a body: read-only fields are in no request, write-only ones in no response. */
export type Direction = 'request' | 'response'

/** A body that is shown, with the definition's own words about it. */
interface Sample {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly value: unknown
}

/** Examples of bodies: those of the definition, or one that its schema allows. */
export type SampleBodies = (
  media: Pick<MediaType, 'schema' | 'example' | 'examples'>,
  direction: Direction,
) => readonly Sample[]

type Sampler = { sample(schema: object, options: object, document: object): unknown }

/** Makes examples with the library `openapi-sampler`, which the site has installed. */
export function createSampleBodies(siteDir: string, document: ApiDocument): SampleBodies {
  const sampler: Sampler = createRequire(path.join(siteDir, 'package.json'))('openapi-sampler')
  const fromSchema = (schema: Schema | undefined, direction: Direction): readonly Sample[] => {
    if (typeof schema !== 'object') return []
    const options = { quiet: true, [direction === 'request' ? 'skipReadOnly' : 'skipWriteOnly']: true }
    const value = sampler.sample(schema, options, document)
    return value === undefined ? [] : [{ value }]
  }
  return ({ schema, example, examples }, direction) => {
    if (example !== undefined) return [{ value: example }]
    const named = Object.entries(examples ?? {}).map(([name, one]) => {
      const { summary = name, description, value } = resolve<Example>(document, one)
      return { title: summary, description, value }
    })
    return named.length > 0 ? named : fromSchema(schema, direction)
  }
}

/** A body as text: what is no text itself, as JSON. */
export const bodyText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** One request, as far as its sample shows it. */
interface SampleRequest {
  readonly method: string
  readonly path: string
  readonly server: Server
  readonly origin: string
  readonly parameters: readonly Parameter[]
  readonly security: SecurityRequirement | undefined
  readonly body: { readonly type: string; readonly value: unknown } | null
}

/** The request as a command for `curl`: what is required, with examples; secrets as variables of the shell. */
export function curlCommand(request: SampleRequest, document: ApiDocument, sample: SampleBodies): string {
  const { method, server, origin, parameters, body } = request
  const valueFor = (parameter: Parameter): string => {
    const [first] = sample(parameter, 'request')
    const given = first?.value
    return typeof given === 'object' && given !== null
      ? JSON.stringify(given)
      : String(given ?? parameter.name)
  }
  const needed = (place: Parameter['in']) =>
    parameters.filter((one) => one.in === place && (one.required === true || one.example !== undefined))
  const target = parameters
    .filter((one) => one.in === 'path')
    .reduce((path, one) => path.replaceAll(`{${one.name}}`, encodeURIComponent(valueFor(one))), request.path)
  const credentials = credentialsOf(request.security, document)
  const query = [
    ...needed('query').map((one) => `${encodeURIComponent(one.name)}=${encodeURIComponent(valueFor(one))}`),
    ...credentials.query,
  ]
  const address = `${serverUrl(server, origin)}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const lines = [
    `curl ${method === 'get' ? '' : method === 'head' ? '--head ' : `--request ${method.toUpperCase()} `}${quote(address)}`,
    ...credentials.options,
    ...needed('header').map((one) => `--header ${quote(`${one.name}: ${valueFor(one)}`)}`),
    ...needed('cookie').map((one) => `--cookie ${quote(`${one.name}=${valueFor(one)}`)}`),
    ...(body === null
      ? []
      : [`--header ${quote(`Content-Type: ${body.type}`)}`, `--data ${quote(bodyText(body.value))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** A server's address with the defaults of its variables; a relative one belongs to the portal's own host. */
export function serverUrl({ url, variables = {} }: Server, origin: string): string {
  const filled = url.replace(/\{([^}]+)\}/g, (whole, name) => variables[name]?.default ?? whole)
  const absolute = filled.startsWith('/') ? `${origin}${filled}` : filled
  return absolute.replace(/\/$/, '')
}

function credentialsOf(requirement: SecurityRequirement | undefined, document: ApiDocument) {
  const options: string[] = []
  const query: string[] = []
  for (const name of Object.keys(requirement ?? {})) {
    const given = document.components?.securitySchemes?.[name]
    if (given === undefined) continue
    const scheme = resolve<SecurityScheme>(document, given)
    if (scheme.type === 'apiKey' && scheme.in === 'query') query.push(`${scheme.name}=$API_KEY`)
    else options.push(credentialOption(scheme))
  }
  return { options: options.filter((option) => option !== ''), query }
}

function credentialOption(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey')
    return scheme.in === 'cookie'
      ? `--cookie "${scheme.name}=$API_KEY"`
      : `--header "${scheme.name}: $API_KEY"`
  if (scheme.type === 'mutualTLS') return '--cert client.pem --key client.key'
  return scheme.scheme?.toLowerCase() === 'basic'
    ? '--user "$USER:$PASSWORD"'
    : '--header "Authorization: Bearer $TOKEN"'
}

/** A word of the shell. Where a secret stands in it, the shell fills it in. */
function quote(word: string): string {
  if (word.includes('$API_KEY')) return `"${word.replace(/["\\`]/g, '\\$&')}"`
  return `'${word.replaceAll("'", "'\\''")}'`
}

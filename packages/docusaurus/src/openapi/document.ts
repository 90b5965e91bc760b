/** As much of OpenAPI 3.0 to 3.2 as the pages show. Whatever is read has been validated (read-document.ts). */
export interface ApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly Server[]
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Record<string, Reference | PathItem>
  readonly webhooks?: Record<string, Reference | PathItem>
  readonly security?: readonly SecurityRequirement[]
  readonly components?: {
    readonly schemas?: Record<string, Schema>
    readonly securitySchemes?: Record<string, Reference | SecurityScheme>
  }
}

export interface Reference {
  readonly $ref: string
}

export interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: Record<string, { readonly default: string }>
}

export type SecurityRequirement = Record<string, readonly string[]>

export interface SecurityScheme {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  readonly description?: string
  readonly in?: 'query' | 'header' | 'cookie'
  readonly name?: string
  readonly scheme?: string
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const

export type Method = (typeof METHODS)[number]

export type PathItem = {
  readonly parameters?: readonly (Reference | Parameter)[]
  readonly servers?: readonly Server[]
} & { readonly [method in Method]?: Operation }

export interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly operationId?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly (Reference | Parameter)[]
  readonly requestBody?: Reference | RequestBody
  readonly responses?: Record<string, Reference | Response>
  readonly callbacks?: Record<string, Reference | Record<string, Reference | PathItem>>
  readonly security?: readonly SecurityRequirement[]
  readonly servers?: readonly Server[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly schema?: Schema
  readonly content?: Record<string, MediaType>
  readonly example?: unknown
  readonly examples?: Record<string, Reference | Example>
}

export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content: Record<string, MediaType>
}

export interface Response {
  readonly summary?: string
  readonly description?: string
  readonly headers?: Record<string, Reference | Omit<Parameter, 'name' | 'in'>>
  readonly content?: Record<string, MediaType>
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Record<string, Reference | Example>
}

export interface Example {
  readonly summary?: string
  readonly description?: string
  readonly value?: unknown
}

/** A schema of 3.0 or 3.1, where `$ref` may have neighbours. `true` takes anything, `false` nothing. */
export type Schema =
  | boolean
  | {
      readonly $ref?: string
      readonly type?: string | readonly string[]
      readonly format?: string
      readonly title?: string
      readonly description?: string
      readonly nullable?: boolean
      readonly deprecated?: boolean
      readonly readOnly?: boolean
      readonly writeOnly?: boolean
      readonly properties?: Record<string, Schema>
      readonly required?: readonly string[]
      readonly additionalProperties?: Schema
      readonly items?: Schema
      readonly prefixItems?: readonly Schema[]
      readonly allOf?: readonly Schema[]
      readonly oneOf?: readonly Schema[]
      readonly anyOf?: readonly Schema[]
      readonly enum?: readonly unknown[]
      readonly const?: unknown
      readonly default?: unknown
      readonly example?: unknown
      readonly examples?: readonly unknown[]
      readonly minimum?: number
      readonly maximum?: number
      readonly exclusiveMinimum?: number | boolean
      readonly exclusiveMaximum?: number | boolean
      readonly multipleOf?: number
      readonly minLength?: number
      readonly maxLength?: number
      readonly pattern?: string
      readonly minItems?: number
      readonly maxItems?: number
      readonly uniqueItems?: boolean
    }

export type SchemaObject = Exclude<Schema, boolean>

/** Resolves a `$ref`; other values stay as they are. The document is bundled, so every reference stays inside it. */
export function resolve<T extends object>(document: ApiDocument, value: T | Reference): T {
  let found: unknown = value
  while (typeof found === 'object' && found !== null && '$ref' in found && typeof found.$ref === 'string') {
    found = found.$ref
      .slice(2)
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((parent, key) => Object(parent)[key], document)
  }
  return found as T
}

/** The name of the schema below `components` that `$ref` leads to; null for one that is elsewhere. */
export function schemaName($ref: string): string | null {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1]
  return name === undefined ? null : decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
}

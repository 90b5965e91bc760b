import type { GateRequest, GateResponse } from '@sekisho/wire'
import { jsonResponse } from '../../kernel/pages/problem.ts'

/** The stateless revision, of which every request says the version itself. */
export const MODERN_VERSION = '2026-07-28'
/** Revisions that begin with `initialize`, ours first: an unknown one gets that. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** Errors of JSON-RPC, and those of the modern revision. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

export type JsonObject = Readonly<Record<string, unknown>>

/** A request, or a notification, which has no id and gets no answer. */
export interface Message {
  readonly id: string | number | null
  readonly isNotification: boolean
  readonly method: string
  readonly params: JsonObject
  readonly isModern: boolean
}

/** A message, or what is answered in its place. */
type ReadMessage =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'refused'; readonly response: GateResponse }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An answer that is an error; in the legacy era most of them come with status 200. */
export function rpcError(
  id: Message['id'],
  code: number,
  message: string,
  { status = 200, data }: { readonly status?: number; readonly data?: JsonObject } = {},
): GateResponse {
  return jsonResponse({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }, { status })
}

/** An answer. */
export function rpcResult(id: Message['id'], result: JsonObject): GateResponse {
  return jsonResponse({ jsonrpc: '2.0', id, result })
}

const META_VERSION = 'io.modelcontextprotocol/protocolVersion'
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/**
 * Reads one JSON-RPC message: of the modern era if its version or header says so, else of the legacy one, which ignores headers. Headers
 * that proxies read must equal the body (2026-07-28, "Standard Request Headers").
 */
export function readMessage(value: unknown, request: GateRequest): ReadMessage {
  const refuse = (id: Message['id'], code: number, text: string, data?: JsonObject): ReadMessage => ({
    kind: 'refused',
    response: rpcError(id, code, text, { status: 400, ...(data && { data }) }),
  })
  const shape = readShape(value)
  if (shape === null) return refuse(null, CODES.invalidRequest, 'The body must be one JSON-RPC request')
  const { id, method, params } = shape
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta[META_VERSION]
  const named = request.headers.get('mcp-protocol-version')
  // The stateless revision has no `initialize`: a client that goes on to it after it discovered keeps the header (claude-code #96183).
  if (version === undefined && (named !== MODERN_VERSION || method === 'initialize'))
    return { kind: 'message', message: { ...shape, isModern: false } }

  if (typeof version !== 'string')
    return refuse(id, CODES.invalidParams, `params._meta must have ${META_VERSION}`)
  if (named !== version)
    return refuse(id, CODES.headerMismatch, 'MCP-Protocol-Version must be the version that _meta says')
  if (version !== MODERN_VERSION)
    return refuse(id, CODES.unsupportedVersion, 'Unsupported protocol version', {
      supported: [MODERN_VERSION],
      requested: version,
    })
  const mismatch = findHeaderMismatch(request, method, params)
  if (mismatch !== null) return refuse(id, CODES.headerMismatch, mismatch)
  if (!isObject(meta[META_CAPABILITIES]))
    return refuse(id, CODES.invalidParams, `params._meta must have ${META_CAPABILITIES}`)
  return { kind: 'message', message: { ...shape, isModern: true } }
}

function readShape(value: unknown): Omit<Message, 'isModern'> | null {
  if (!isObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return null
  const { id, method, params = {} } = value
  if (!isObject(params)) return null
  if (id === undefined) return { id: null, isNotification: true, method, params }
  return typeof id === 'string' || typeof id === 'number'
    ? { id, isNotification: false, method, params }
    : null
}

function findHeaderMismatch({ headers }: GateRequest, method: string, params: JsonObject): string | null {
  if (headers.get('mcp-method') !== method) return 'Mcp-Method must be the method of the body'
  if (method !== 'tools/call') return null
  const name = headers.get('mcp-name')
  return name !== null && decodeHeader(name) === params.name ? null : 'Mcp-Name must be the name of the tool'
}

/** A name that is no plain ASCII comes as `=?base64?…?=`. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

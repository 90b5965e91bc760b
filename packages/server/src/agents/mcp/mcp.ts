import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditFields, AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import { type ReadStatuses, WITHOUT_REVIEWS } from '../../kernel/page-status.ts'
import { jsonResponse, problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import type { Reader } from '../../kernel/reader.ts'
import { recordRead } from '../../kernel/reader-trail.ts'
import { agentRoute, type ReaderHandler, type RouteTable } from '../../kernel/route-table.ts'
import { createToday, type PortalClock } from '../../kernel/today.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import type { QueryLog } from '../../state/search-log/index.ts'
import { answerTool, type ToolOptions } from './answer-tools.ts'
import { listCoveringPages } from './covering-pages.ts'
import {
  CODES,
  isObject,
  type JsonObject,
  LEGACY_VERSIONS,
  type Message,
  MODERN_VERSION,
  readMessage,
  rpcError,
  rpcResult,
} from './messages.ts'
import { NOTE, TOOLS } from './tools.ts'

interface AgentDoorOptions
  extends Omit<ToolOptions, 'noteSearch' | 'account' | 'today' | 'readStatuses'>,
    PortalClock {
  /** Without the confirmations of owners by default. */
  readonly readStatuses?: ReadStatuses
  readonly audit: Pick<AuditTrail, 'recordReading'>
  readonly queryLog: Pick<QueryLog, 'searched'>
  /** A keyed digest: the trail tells that two agents asked the same, and not what. */
  readonly digest: (text: string) => string
}

/** Request limit of an agent: a question's requests pass at once, endless ones are slowed to two a second. */
const REQUESTS = { burst: 60, perSecond: 2 }
/** So many calls run at a time, and accounts take turns, with however many tokens. */
const AT_ONCE = 4
/** Lifetime of server metadata in clients. */
const KEEP_MS = 3_600_000

/**
 * Binds `/mcp`, the Model Context Protocol of the stateless revision and of those before it, one JSON answer for each request; and the
 * list of pages that cover files of code repositories.
 */
export function createAgentRoutes(options: AgentDoorOptions): RouteTable {
  const { origin, now } = options
  const limit = createRateLimit({ ...REQUESTS, now })
  const turns = createFairSemaphore(AT_ONCE)
  const today = createToday(options)

  function refuse(request: GateRequest, reader: Reader): GateResponse | null {
    const from = request.headers.get('origin')
    if (from !== null && from !== origin.origin) return problem('bad_origin')
    const waitSeconds = limit.take(accountKey(reader.account))
    return waitSeconds > 0 ? tooManyRequests(waitSeconds) : null
  }

  const answer: ReaderHandler = async (request, reader, context) => {
    const refused = refuse(request, reader)
    if (refused !== null) return refused
    const body = await readJsonBody(request, AGENT_ROUTES.mcp.maxBodyBytes)
    if (body.kind === 'too_large') return problem('too_large')
    if (body.kind !== 'read')
      return rpcError(null, CODES.parse, 'The body must be JSON, in UTF-8', { status: 400 })
    const read = readMessage(body.value, request)
    if (read.kind === 'refused') return read.response
    const { message } = read
    if (message.isNotification) return new Response(null, { status: 202 })
    if (message.method !== 'tools/call') return answerMethod(message, nameOf(reader))
    return turns(accountKey(reader.account), () =>
      callTool(message, reader, context, { readStatuses: WITHOUT_REVIEWS, ...options, today: today() }),
    )
  }

  const covers: ReaderHandler = async (request, reader, context) =>
    refuse(request, reader) ?? turns(accountKey(reader.account), () => answerCovers(reader, context, options))

  const [path, route] = agentRoute(AGENT_ROUTES.mcp, { POST: answer })
  return new Map([
    [path, route],
    agentRoute(AGENT_ROUTES.covers, { GET: covers }),
    [AGENT_ROUTES.mcpWithSlash.path, route],
  ])
}

/** The site's name stands here and not in the names of tools. */
function nameOf({ served }: Reader): JsonObject {
  const title = served?.site.title ?? 'Sekisho'
  return { name: 'sekisho', title, version: '1' }
}

function answerMethod({ id, method, params, isModern }: Message, serverInfo: JsonObject): GateResponse {
  const about = { capabilities: { tools: {} }, instructions: NOTE }
  const cached = isModern ? { ttlMs: KEEP_MS, cacheScope: 'private' } : {}
  const reply = (result: JsonObject) => rpcResult(id, isModern ? completed(result, serverInfo) : result)
  if (method === 'tools/list') return reply({ tools: TOOLS, ...cached })
  if (method === 'server/discover')
    return rpcResult(id, {
      ...completed({ ...about, supportedVersions: [MODERN_VERSION] }, serverInfo),
      ttlMs: KEEP_MS,
      cacheScope: 'private',
    })
  if (!isModern && method === 'ping') return reply({})
  if (!isModern && method === 'initialize') {
    const protocolVersion =
      LEGACY_VERSIONS.find((known) => known === params.protocolVersion) ?? LEGACY_VERSIONS[0]
    return reply({ protocolVersion, serverInfo, ...about })
  }
  return rpcError(id, CODES.methodNotFound, 'Method not found', { status: isModern ? 404 : 200 })
}

const completed = (result: JsonObject, serverInfo: JsonObject): JsonObject => ({
  ...result,
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
})

async function callTool(
  { id, params, isModern }: Message,
  reader: Reader,
  context: RequestContext,
  options: AgentDoorOptions & Pick<ToolOptions, 'today' | 'readStatuses'>,
): Promise<GateResponse> {
  const tool = TOOLS.find(({ name }) => name === params.name)
  if (tool === undefined) return rpcError(id, CODES.invalidParams, 'Unknown tool')
  const { served } = reader
  if (served === null) return problem('unavailable')
  // Each by itself: a query that follows at once is not the same one typed further.
  const noteSearch = (q: string, hits: number) =>
    options.queryLog.searched(context.requestId, reader.account, {
      q,
      hits,
      by: 'agent',
      edition: served.name,
    })
  const args = isObject(params.arguments) ? params.arguments : {}
  const { result, pages, query } = await answerTool(tool.name, args, served, {
    ...options,
    account: reader.account,
    noteSearch,
  })
  await recordUse(options.audit, reader, context, {
    path: AGENT_ROUTES.mcp.path,
    more: { tool: tool.name, pages, ...(query !== undefined && { query: options.digest(query) }) },
  })
  const answer =
    typeof result === 'string'
      ? { content: [{ type: 'text', text: result }], isError: true }
      : { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
  return rpcResult(id, isModern ? { ...answer, resultType: 'complete' } : answer)
}

async function answerCovers(
  reader: Reader,
  context: RequestContext,
  { audit }: Pick<AgentDoorOptions, 'audit'>,
): Promise<GateResponse> {
  if (reader.served === null) return problem('unavailable')
  await recordUse(audit, reader, context, {
    path: AGENT_ROUTES.covers.path,
    more: { tool: 'covers', pages: [] },
  })
  return jsonResponse(listCoveringPages(reader.served.edition))
}

/** Records content that a token was given, as {@link recordRead}. */
function recordUse(
  audit: AgentDoorOptions['audit'],
  reader: Reader,
  context: RequestContext,
  { path, more }: { readonly path: string; readonly more: AuditFields },
): Promise<void> | null {
  const { grant } = reader
  const agent = grant !== null && { agent: grant.name, clientId: grant.client, grant: grant.id }
  return recordRead(audit, { event: 'agent_read', reader, path, context, more: { ...agent, ...more } })
}

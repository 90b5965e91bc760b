import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { connectionProblem, findTlsProblem } from '@sekisho/contract/connection-failure'
import { isRecord } from '@sekisho/contract/json-shape'
import type { Message, MessageOrText } from '@sekisho/contract/language'
import { findDateDifference } from './clock.ts'
import { type CheckResult, found, together } from './finding.ts'

/** Google's and Microsoft's documents are below 20 KB. */
const BOUNDS = { maxBytes: 512 * 1024, timeoutMs: 8_000 }

interface IssuerOptions {
  readonly fetch: typeof fetch
  readonly clock: () => number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Asks each issuer for its own description and for its keys, as a gate does at the first sign-in (OpenID Connect Discovery). */
export async function checkIssuers(issuers: readonly string[], options: IssuerOptions): Promise<CheckResult> {
  return together(await Promise.all(issuers.map((issuer) => lookAtIssuer(issuer, options))))
}

async function lookAtIssuer(issuer: string, options: IssuerOptions): Promise<CheckResult> {
  try {
    const { document, headers } = await readDocument(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      options,
    )
    const findings: Message[] = [...findDateDifference(issuer, headers, options.clock())]
    const { issuer: name, jwks_uri: keysUrl } = isRecord(document) ? document : {}
    if (name !== issuer) findings.push(found('issuer_name_differs', issuer, JSON.stringify(name ?? null)))
    const keys = typeof keysUrl === 'string' && URL.canParse(keysUrl) ? await countKeys(keysUrl, options) : 0
    if (keys === 0) findings.push(found('issuer_no_keys', issuer))
    return { facts: [found('saw_issuer', issuer, keys)], findings }
  } catch (error) {
    const tls = findTlsProblem(error)
    const finding = tls === null ? unreachable(issuer, error, options) : found('issuer_tls', issuer, tls)
    return { facts: [], findings: [finding] }
  }
}

function unreachable(issuer: string, error: unknown, { env }: IssuerOptions): Message {
  const isProxyIgnored = Boolean(env.HTTPS_PROXY ?? env.https_proxy) && env.NODE_USE_ENV_PROXY !== '1'
  return found(isProxyIgnored ? 'issuer_unreachable_by_proxy' : 'issuer_unreachable', issuer, describe(error))
}

async function countKeys(url: string, options: IssuerOptions): Promise<number> {
  const { document } = await readDocument(url, options)
  const keys = isRecord(document) && Array.isArray(document.keys) ? document.keys : []
  return keys.filter((key) => isRecord(key) && typeof key.kty === 'string').length
}

/** Expected to fail for reasons that an operator mends; the message says which. */
class UnreadableError extends Error {}

async function readDocument(url: string, { fetch }: IssuerOptions) {
  const response = await boundFetch(fetch, BOUNDS)(url, { redirect: 'error' })
  if (!response.ok) throw new UnreadableError(`status ${response.status}`)
  return { document: (await response.json()) as unknown, headers: response.headers }
}

function describe(error: unknown): MessageOrText {
  if (!(error instanceof Error)) return 'no answer'
  if (error.cause instanceof Error) return connectionProblem(error)
  if (error.name === 'TimeoutError') return `no answer in ${BOUNDS.timeoutMs / 1_000} s`
  return error instanceof SyntaxError ? 'it answers no JSON' : error.message
}

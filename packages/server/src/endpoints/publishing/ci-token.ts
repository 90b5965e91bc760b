import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type PublishRule, REPOSITORY_CLAIMS, type RepositoryClaim } from '../../config/publish-rules.ts'
import { rejectionOf } from '../../identity/id-token.ts'
import { createRemoteKeys, fetchJson, type KeySetOptions } from '../../identity/key-set.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'

/** A job of a CI whose token is genuine, and what a rule lets it do; or why not. */
export type CiVerdict =
  | {
      readonly ok: true
      readonly rule: PublishRule
      readonly job: CiJob
      /** The repository by its id, and the ref. */
      readonly owner: string
      readonly spend: SpentCiToken
    }
  | { readonly ok: false; readonly reason: string; readonly job: CiJob | null }

/** Fields of a job in the trail. */
interface CiJob {
  readonly issuer: string
  readonly repository: string
  readonly ref: string
}

interface SpentCiToken {
  readonly id: string
  readonly expiresAtMs: number
}

interface CiVerifierOptions {
  readonly rules: () => readonly PublishRule[]
  readonly origin: URL
  readonly fetch: typeof fetch
  readonly now: () => number
  /** For each of the issuer's two answers. */
  readonly timeoutMs?: number
}

const TOLERANCE_SECONDS = 30
const MAX_TOKEN_CHARS = 8_192
/** GitLab's live as long as a job may. */
const MAX_LIFETIME_SECONDS = 24 * 3_600
/** Accepted header parameters; any other could let the token choose its key. GitHub's have `x5t`, which is ignored. */
const HEADER_PARAMETERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ', 'x5t'])
const MAX_SHOWN_CHARS = 200
/** An issuer that did not answer is not asked again for so long. */
const PAUSE_MS = 5_000

/** Claims that describe a job in one kind of CI's tokens. */
interface Dialect {
  /** The claim with the repository's name, for the trail. */
  readonly name: string
  /** The claim that says what started the job. */
  readonly event: string
  /**
   * Events on a commit of the repository itself. Jobs started by pull or merge requests, comments or other workflows may run a fork's files
   * while their token names the repository and branch.
   */
  readonly ownEvents: ReadonlySet<unknown>
  /** The whole ref, as in `refs/heads/main`. */
  readonly refOf: (claims: JWTPayload) => unknown
}

/** By the claim that names the repository in a rule. */
const DIALECTS: Readonly<Record<RepositoryClaim, Dialect>> = {
  repository_id: {
    name: 'repository',
    event: 'event_name',
    ownEvents: new Set(['push', 'workflow_dispatch', 'schedule', 'release']),
    refOf: ({ ref }) => ref,
  },
  project_id: {
    name: 'project_path',
    event: 'pipeline_source',
    ownEvents: new Set(['push', 'web', 'schedule', 'api']),
    // The name and its type, and the whole one since 16.0.
    refOf: ({ ref, ref_path: path, ref_type: type }) =>
      typeof ref === 'string' ? (path ?? `refs/${type === 'branch' ? 'heads' : 'tags'}/${ref}`) : ref,
  },
}

/** Judges ID tokens of CIs by the issuer's published keys and the rules. Throws `UnavailableError` without keys. */
export function createCiVerifier({ rules, origin, fetch, now, timeoutMs = 2_500 }: CiVerifierOptions) {
  const keySets = new Map<string, JWTVerifyGetKey>()
  function keysOf(issuer: string): JWTVerifyGetKey {
    const keys = keySets.get(issuer) ?? discoverKeys({ issuer, fetch, now, timeoutMs })
    keySets.set(issuer, keys)
    return keys
  }

  return async (token: string): Promise<CiVerdict> => {
    const issuer = token.length > MAX_TOKEN_CHARS ? null : issuerOf(token)
    const known = rules().filter((rule) => rule.issuer === issuer)
    const [first] = known
    if (issuer === null || first === undefined) return { ok: false, reason: 'issuer', job: null }
    const audiences = [...new Set(known.map((rule) => audienceOf(rule, origin)))]
    const read = await readToken(token, { issuer, audiences, keys: keysOf(issuer), now })
    return typeof read === 'string' ? { ok: false, reason: read, job: null } : match(read, known, origin)
  }
}

const audienceOf = ({ audience }: Pick<PublishRule, 'audience'>, origin: URL): string =>
  audience ?? origin.origin

function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}

interface TokenRules {
  readonly issuer: string
  readonly audiences: string[]
  readonly keys: JWTVerifyGetKey
  readonly now: () => number
}

/** The claims, or why they are not believed. */
async function readToken(token: string, rules: TokenRules): Promise<JWTPayload | string> {
  const { issuer, audiences, keys, now } = rules
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ['RS256', 'ES256'],
      issuer,
      audience: audiences,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
    })
    const isPlain = Object.keys(protectedHeader).every((name) => HEADER_PARAMETERS.has(name))
    const { exp = 0, iat = 0, aud, jti } = payload
    const isShort = exp - iat <= MAX_LIFETIME_SECONDS && iat <= now() / 1_000 + TOLERANCE_SECONDS
    if (!isPlain || typeof aud !== 'string' || typeof jti !== 'string' || jti === '') return 'malformed'
    return isShort ? payload : 'claims'
  } catch (error) {
    const reason = rejectionOf(error)
    if (reason === null) throw error
    return reason
  }
}

/** The first rule that fits in everything; else what the nearest one lacks. */
function match(claims: JWTPayload, rules: readonly PublishRule[], origin: URL): CiVerdict {
  const { iss: issuer = '', jti = '', exp = 0 } = claims
  const named = REPOSITORY_CLAIMS.findLast((claim) => claims[claim] !== undefined) ?? REPOSITORY_CLAIMS[0]
  const dialect = DIALECTS[named]
  const ref = refOf(claims, dialect)
  const repository = `${claims[dialect.name] ?? ''} (${claims[named] ?? ''})`.slice(0, MAX_SHOWN_CHARS)
  const job = { issuer, repository, ref: ref.slice(0, MAX_SHOWN_CHARS) }
  const lacks = rules.map((rule) => findLack(rule, claims, ref, origin))
  const rule = rules[lacks.indexOf(null)]
  if (rule === undefined)
    return { ok: false, reason: LACKS.findLast((one) => lacks.includes(one)) ?? 'repository', job }
  const { claim, id } = rule.repository
  return {
    ok: true,
    rule,
    job,
    owner: `${issuer} ${claim} ${id} ${ref}`,
    spend: { id: `${issuer} ${jti}`, expiresAtMs: (exp + 2 * TOLERANCE_SECONDS) * 1_000 },
  }
}

/** Conditions of a rule, in the order of evaluation. */
const LACKS = ['repository', 'ref', 'event', 'environment', 'claims'] as const

/** The first thing that a job lacks to fit a rule; null when it fits. */
function findLack(
  { repository: { claim, id }, ref: wanted, environment, ...rule }: PublishRule,
  claims: JWTPayload,
  ref: string,
  origin: URL,
): (typeof LACKS)[number] | null {
  if (claims[claim] !== id) return 'repository'
  if (!fits(ref, wanted)) return 'ref'
  const { event, ownEvents } = DIALECTS[claim]
  if (!ownEvents.has(claims[event])) return 'event'
  if (environment !== null && claims.environment !== environment) return 'environment'
  return claims.aud === audienceOf(rule, origin) ? null : 'claims'
}

function fits(ref: string, wanted: string): boolean {
  return wanted.endsWith('*') ? ref.startsWith(wanted.slice(0, -1)) : ref === wanted
}

/** Empty where a token says none. */
function refOf(claims: JWTPayload, dialect: Dialect): string {
  const ref = dialect.refOf(claims)
  return typeof ref === 'string' ? ref : ''
}

interface DiscoverOptions extends Pick<KeySetOptions, 'fetch' | 'now'> {
  readonly issuer: string
  readonly timeoutMs: number
}

/**
 * The issuer's keys, from its own document; fetched with the first token. Concurrent requests share the fetch, and after a failure requests
 * fail at once for a moment: forged tokens must not occupy places.
 */
function discoverKeys(options: DiscoverOptions): JWTVerifyGetKey {
  const { now } = options
  let keys: Promise<JWTVerifyGetKey> | null = null
  let failedAtMs: number | null = null
  return async (header, token) => {
    if (failedAtMs !== null && Math.abs(now() - failedAtMs) < PAUSE_MS)
      throw new UnavailableError('identity_unavailable', "the CI's keys could not be read a moment ago")
    keys ??= findKeySet(options).then((url) => createRemoteKeys({ ...options, url }))
    const asked = keys
    try {
      return await (await asked)(header, token)
    } catch (error) {
      if (error instanceof UnavailableError) failedAtMs = now()
      if (keys === asked && error instanceof UnavailableError) keys = null
      throw error
    }
  }
}

async function findKeySet({ issuer, fetch, timeoutMs }: DiscoverOptions): Promise<URL> {
  try {
    const document = await fetchJson(fetch, `${issuer}/.well-known/openid-configuration`, timeoutMs)
    const isDocument = typeof document === 'object' && document !== null && 'issuer' in document
    if (!isDocument || document.issuer !== issuer || !('jwks_uri' in document))
      throw new Error('another issuer')
    const url = new URL(String(document.jwks_uri))
    if (url.protocol !== new URL(issuer).protocol) throw new Error('keys over another protocol')
    return url
  } catch (cause) {
    throw new UnavailableError('identity_unavailable', "the CI's keys cannot be found", { cause })
  }
}

import { challengeHeader } from '@sekisho/contract/agents'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../audit/index.ts'
import { problem } from '../kernel/pages/problem.ts'
import type { Agent } from '../kernel/route-table.ts'
import { type Grants, PERSONAL_PREFIX } from '../state/grants/index.ts'
import { type SessionKey, type Sessions, whoOf } from '../state/sessions/index.ts'
import { admits } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

/** Who asks with a token, and what whoever has none that counts is told. */
export interface AgentAccess {
  /** Null without a token that counts now; no cookie is looked at. */
  identify(request: GateRequest): Promise<Agent | null>
  /** Whether a request is a script's, which asks for a page's text (as `.md` or by `Accept`) with a token of its reader's own. */
  isScript(request: GateRequest, path: string | null): boolean
  /** Where to get a token (RFC 9728, section 5.1): the same bytes for everybody, whatever was sent. */
  challenge(): GateResponse
}

export interface AgentAccessOptions {
  readonly origin: URL
  readonly grants: Pick<Grants, 'find' | 'noteUse'>
  readonly sessions: Pick<Sessions, 'find' | 'end'>
  readonly policy: PolicySource
  readonly audit: Pick<AuditTrail, 'record'>
}

/** Tokens of ours, in the one form that clients send (RFC 6750, section 2.1). */
const BEARER = /^Bearer +(sekisho_(?:agent|personal)_[A-Za-z0-9_-]{43})$/i

/** The token of a request; null without one of ours. */
function readBearer({ headers }: GateRequest): string | null {
  return BEARER.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

const acceptsMarkdown = ({ headers }: GateRequest) => /\btext\/markdown\b/i.test(headers.get('accept') ?? '')

/** Finds the account behind a token; it is asked for anew at each request, by the policy in force, and one that is not admitted any more is signed out. */
export function createAgentAccess(options: AgentAccessOptions): AgentAccess {
  const { origin, grants, sessions, policy, audit } = options
  const headers = { 'WWW-Authenticate': challengeHeader(origin) }

  async function identify(request: GateRequest): Promise<Agent | null> {
    const token = readBearer(request)
    const grant = token === null ? null : await grants.find(token)
    if (grant === null) return null
    const key = grant.session as SessionKey // a gate sealed it into the grant
    const session = await sessions.find(key, { touch: false })
    if (session === null) return null
    if (!admits(policy(), session)) {
      for (const ended of await sessions.end(key, 'account', 'policy'))
        audit.record('access_refused', { reason: 'policy', ...whoOf(ended) })
      return null
    }
    grants.noteUse(grant)
    const limit = grant.edition === null ? {} : { edition: grant.edition }
    return {
      session: { ...session, ...limit },
      ...{ grantId: grant.id, clientId: grant.client, clientName: grant.name, kind: grant.kind },
    }
  }

  return {
    identify,
    isScript(request, path) {
      const asksForText = path?.endsWith('.md') === true || acceptsMarkdown(request)
      return asksForText && readBearer(request)?.startsWith(PERSONAL_PREFIX) === true
    },
    challenge: () => problem('signed_out', { headers }),
  }
}

import { editionLabel } from '@sekisho/release'
import type { GateRequest } from '@sekisho/wire'
import type { AuditTrail } from '../audit/index.ts'
import type { SessionCookies } from '../kernel/client/session-cookies.ts'
import type { EditionName, Reader, ServedEdition } from '../kernel/reader.ts'
import type { Credentials } from '../kernel/route-table.ts'
import { type Grants, PERSONAL_PREFIX } from '../state/grants/index.ts'
import { type Session, type SessionKey, type Sessions, whoOf } from '../state/sessions/index.ts'
import { admittingEditions, chooseEdition } from './choose-edition.ts'
import { admits, groupsOf, isOwner } from './policy.ts'
import type { PolicySource } from './policy-source.ts'
import type { Views } from './views.ts'

/** Finds the reader behind a request; null without a credential that is accepted and valid. */
export type Resolve = (
  request: GateRequest,
  options: {
    readonly accepts: Credentials
    /** Counts as use of the session: an open tab that only polls must still go idle. */
    readonly touch: boolean
  },
) => Promise<Reader | null>

export interface ResolveOptions {
  readonly cookies: Pick<SessionCookies, 'readKey'>
  readonly sessions: Pick<Sessions, 'find' | 'end'>
  /** Null if no tokens are accepted: agents are turned off, or this is the host of a preview. */
  readonly grants: Pick<Grants, 'find' | 'noteUse'> | null
  readonly policy: PolicySource
  readonly views: Pick<Views, 'read'>
  /** Every edition of the release that is served now. */
  readonly releases: { editions(): Promise<readonly ServedEdition[]> }
  readonly audit: Pick<AuditTrail, 'record'>
}

/** A valid credential: its session, and the edition that it is limited to. */
interface Presented extends Pick<Reader, 'via' | 'grant'> {
  readonly key: SessionKey
  readonly session: Session
  readonly limit: string | null
  readonly noteUse: () => void
}

/** Tokens of ours, in the one form that clients send (RFC 6750, section 2.1). */
const BEARER = /^Bearer +(sekisho_(?:agent|personal)_[A-Za-z0-9_-]{43})$/i

/** The token of a request; null without one of ours. */
function readBearer({ headers }: GateRequest): string | null {
  return BEARER.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/**
 * Resolves a reader from one look at the session, the policy and the release each; nothing behind the policy decides again. An account
 * that is no longer admitted is signed out.
 */
export function createResolve(options: ResolveOptions): Resolve {
  const { cookies, sessions, grants, views, releases, audit } = options

  async function findSession(request: GateRequest, touch: boolean): Promise<Presented | null> {
    const cookie = cookies.readKey(request)
    if (cookie.kind !== 'present') return null // absent or malformed
    const session = await sessions.find(cookie.key, { touch })
    if (session === null) return null
    return { via: 'session', key: cookie.key, session, grant: null, limit: null, noteUse() {} }
  }

  async function findGrant(token: string, via: 'agent' | 'token'): Promise<Presented | null> {
    const grant = grants === null ? null : await grants.find(token)
    if (grants === null || grant === null) return null
    const key = grant.session as SessionKey // a gate sealed it into the grant
    const session = await sessions.find(key, { touch: false })
    const { id, client, name, edition: limit } = grant
    const noteUse = () => grants.noteUse(grant)
    return session === null ? null : { via, key, session, grant: { id, client, name }, limit, noteUse }
  }

  /** A token that the route accepts counts alone, else the session: one credential is judged, never the better of two. */
  function present(request: GateRequest, accepts: Credentials, touch: boolean): Promise<Presented | null> {
    const token = grants === null ? null : readBearer(request)
    const via = token?.startsWith(PERSONAL_PREFIX) === true ? 'token' : 'agent'
    if (token !== null && accepts.has(via)) return findGrant(token, via)
    return accepts.has('session') ? findSession(request, touch) : Promise.resolve(null)
  }

  return async (request, { accepts, touch }) => {
    const presented = await present(request, accepts, touch)
    if (presented === null) return null
    const { via, key, session, grant, limit } = presented
    const policy = options.policy()
    if (!admits(policy, session)) {
      for (const ended of await sessions.end(key, 'account', 'policy'))
        audit.record('access_refused', { reason: 'policy', ...whoOf(ended) })
      return null
    }
    presented.noteUse()
    const groups = groupsOf(policy, session)
    const mayView = [...policy.viewingAs].some((name) => groups.has(name))
    const asked = via === 'session' ? views.read(request, session) : null
    const editions = await releases.editions()
    const own = chooseEdition(editions, groups, { limit, viewingAs: null })
    const served =
      asked === null || !mayView ? own : chooseEdition(editions, groups, { limit, viewingAs: asked })
    const viewable = mayView && editions.length > 1 ? admittingEditions(editions, groups) : []
    return {
      account: session,
      groups: labelled(groups, editions),
      owns: (owner) => isOwner(policy, session, groups, owner),
      via,
      session,
      grant,
      served,
      ownEdition: own === null ? null : nameOf(own),
      viewingAs: asked !== null && asked === served?.name ? asked : null,
      viewable: viewable.map(nameOf),
    }
  }
}

const nameOf = ({ name, edition }: ServedEdition): EditionName => ({ name, label: editionLabel(edition) })

/** Groups with the labels that some edition of the site gives them, or else their names. */
function labelled(groups: ReadonlySet<string>, editions: readonly ServedEdition[]): Reader['groups'] {
  const labelOf = (group: string) =>
    editions.findLast(({ edition }) => edition.labels?.has(group) === true)?.edition.labels?.get(group) ??
    group
  return new Map([...groups].map((group) => [group, labelOf(group)]))
}

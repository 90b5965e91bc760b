import type { GateRequest } from '@sekisho/wire'
import type { AuditTrail } from '../audit/index.ts'
import type { SessionCookies } from '../kernel/client/session-cookies.ts'
import type { Visit } from '../kernel/route-table.ts'
import { type Sessions, whoOf } from '../state/sessions/index.ts'
import { admits } from './policy.ts'
import type { PolicySource } from './policy-source.ts'
import type { Views } from './views.ts'

/** Who is asking; `touch` counts as use: an open tab that only polls must still go idle. */
export type Identify = (request: GateRequest, options: { readonly touch: boolean }) => Promise<Visit | null>

export interface IdentifyOptions {
  readonly cookies: Pick<SessionCookies, 'readKey'>
  readonly sessions: Pick<Sessions, 'find' | 'end'>
  readonly policy: PolicySource
  readonly audit: Pick<AuditTrail, 'record'>
  readonly views: Pick<Views, 'visitOf'>
}

/** Finds the session behind a request; whoever the policy no longer admits has none from now on. */
export function createIdentify({ cookies, sessions, policy, audit, views }: IdentifyOptions): Identify {
  return async (request, options) => {
    const cookie = cookies.readKey(request)
    if (cookie.kind !== 'present') return null // absent or malformed: either way nobody
    const session = await sessions.find(cookie.key, options)
    if (session === null) return null
    if (admits(policy(), session)) return views.visitOf(request, session)
    for (const ended of await sessions.end(cookie.key, 'account', 'policy'))
      audit.record('access_refused', { reason: 'policy', ...whoOf(ended) })
    return null
  }
}

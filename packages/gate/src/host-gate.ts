import { createIdentify, type IdentifyOptions } from './access/identify.ts'
import { type AccountPageOptions, createAccountRoutes } from './doors/account/account-page.ts'
import { createBarRoutes } from './doors/account/bar.ts'
import { createOwnSessions, type OwnSessionsOptions } from './doors/account/own-sessions.ts'
import { createSessionRoutes, type SessionRoutesOptions } from './doors/account/session-routes.ts'
import { createHealthRoutes } from './doors/health/health-route.ts'
import { createServe, type ServeOptions } from './doors/reading/serve.ts'
import { createSignIn, type SignInOptions } from './doors/sign-in/strangers.ts'
import { joinRoutes, type RouteTable } from './frame/route-table.ts'
import type { PartState } from './observability/health.ts'
import { createGate, type Gate, type GateDependencies } from './policy.ts'

/** What the gate of any host is made of. */
export interface HostParts
  extends IdentifyOptions,
    OwnSessionsOptions,
    Pick<AccountPageOptions, 'timeZone'>,
    ServeOptions,
    SignInOptions,
    Omit<SessionRoutesOptions, 'identify' | 'openSession' | 'isSignInConfigured'>,
    Pick<GateDependencies, 'observe'> {
  readonly cookies: SignInOptions['cookies']
  readonly sessions: IdentifyOptions['sessions'] &
    OwnSessionsOptions['sessions'] &
    SessionRoutesOptions['sessions']
  readonly audit: IdentifyOptions['audit'] & ServeOptions['audit']
  readonly releases: ServeOptions['releases'] & SessionRoutesOptions['releases']
  readonly health: () => PartState | Promise<PartState>
}

/** The gate of one host: the policy, the doors that readers find on every host, and this one's own. */
export function createHostGate(
  parts: HostParts,
  signIn: Pick<SessionRoutesOptions, 'openSession' | 'isSignInConfigured'>,
  doors: readonly RouteTable[],
): Gate {
  const identify = createIdentify(parts)
  const own = createOwnSessions(parts)
  return createGate({
    https: parts.origin.protocol === 'https:',
    routes: joinRoutes(
      createHealthRoutes(parts.health),
      createSessionRoutes({ ...parts, ...signIn, identify }, own),
      createAccountRoutes(parts, own),
      createBarRoutes(),
      ...doors,
    ),
    identify,
    signIn: createSignIn(parts),
    serve: createServe(parts),
    observe: parts.observe,
  })
}

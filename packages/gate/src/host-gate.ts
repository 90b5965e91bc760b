import { joinRoutes, type RouteTable, type Visit } from '@sekisho/frame/route-table'
import type { PartState } from '@sekisho/observability/health'
import type { Seal } from '@sekisho/state/sessions'
import { createIdentify, type IdentifyOptions } from './access/identify.ts'
import { createViews } from './access/views.ts'
import { type AccountPageOptions, createAccountRoutes } from './doors/account/account-page.ts'
import { createBarRoutes } from './doors/account/bar.ts'
import { createOwnSessions, type OwnSessionsOptions } from './doors/account/own-sessions.ts'
import { createSessionRoutes, type SessionRoutesOptions } from './doors/account/session-routes.ts'
import { createViewAsRoutes, type ViewAsOptions, viewAsSection, viewNotice } from './doors/account/view-as.ts'
import { createHealthRoutes } from './doors/health/health-route.ts'
import { type NoticeOf, withNotices } from './doors/reading/notices.ts'
import { createServe, type ServeOptions } from './doors/reading/serve.ts'
import { createSignIn, type SignInOptions } from './doors/sign-in/strangers.ts'
import { createGate, type Gate, type GateDependencies } from './policy.ts'
import type { Releases } from './releases/open-releases.ts'

/** What the gate of any host is made of. */
export interface HostParts
  extends Omit<IdentifyOptions, 'views'>,
    OwnSessionsOptions,
    Pick<AccountPageOptions, 'timeZone'>,
    ServeOptions,
    SignInOptions,
    Omit<SessionRoutesOptions, 'identify' | 'openSession' | 'isSignInConfigured'>,
    Pick<GateDependencies, 'observe'> {
  readonly agents?: GateDependencies['agents']
  readonly ownAgents?: AccountPageOptions['ownAgents']
  readonly cookies: SignInOptions['cookies']
  readonly sessions: IdentifyOptions['sessions'] &
    OwnSessionsOptions['sessions'] &
    SessionRoutesOptions['sessions']
  readonly audit: IdentifyOptions['audit'] & ServeOptions['audit'] & ViewAsOptions['audit']
  /** Seals what browsers keep for the gate. */
  readonly seal: Seal
  readonly releases: Pick<Releases, 'current' | 'respond'>
  readonly health: () => PartState | Promise<PartState>
}

/** The gate of one host: the policy, the doors that readers find on every host, and this one's own. */
export function createHostGate(
  parts: HostParts,
  signIn: Pick<SessionRoutesOptions, 'openSession' | 'isSignInConfigured'>,
  doors: readonly RouteTable[],
  notices: readonly NoticeOf[] = [],
): Gate {
  const views = createViews(parts.origin, parts.seal)
  const identify = createIdentify({ ...parts, views })
  const viewing = { ...parts, views }
  const isTold = ({ viewingAs }: Visit) => notices.length > 0 || viewingAs !== undefined
  const own = createOwnSessions(parts)
  return createGate({
    https: parts.origin.protocol === 'https:',
    routes: joinRoutes(
      createHealthRoutes(parts.health),
      createSessionRoutes({ ...parts, ...signIn, identify }, own),
      createAccountRoutes(
        {
          ...parts,
          ownAgents: parts.ownAgents ?? null,
          sections: (...shown) => viewAsSection(parts, ...shown),
        },
        own,
      ),
      createViewAsRoutes(viewing),
      createBarRoutes(),
      ...doors,
    ),
    identify,
    agents: parts.agents ?? null,
    signIn: createSignIn(parts),
    serve: createServe({ ...parts, releases: withNotices(parts.releases, [...notices, viewNotice], isTold) }),
    observe: parts.observe,
  })
}

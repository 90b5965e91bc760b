import { createIdentify, type IdentifyOptions } from './access/identify.ts'
import { createViews } from './access/views.ts'
import { type AccountPageOptions, createAccountRoutes } from './endpoints/account/account-page.ts'
import { createBarRoutes } from './endpoints/account/bar.ts'
import { createOwnSessions, type OwnSessionsOptions } from './endpoints/account/own-sessions.ts'
import { createSessionRoutes, type SessionRoutesOptions } from './endpoints/account/session-routes.ts'
import {
  createViewAsRoutes,
  type ViewAsOptions,
  viewAsSection,
  viewNotice,
} from './endpoints/account/view-as.ts'
import { createHealthRoutes } from './endpoints/health/health-route.ts'
import { type NoticeOf, withNotices } from './endpoints/reading/notices.ts'
import { createServe, type ServeOptions } from './endpoints/reading/serve.ts'
import { createSignIn, type SignInOptions } from './endpoints/sign-in/strangers.ts'
import type { PartState } from './kernel/monitoring/health.ts'
import { joinRoutes, type RouteTable, type Visit } from './kernel/route-table.ts'
import { createGate, type Gate, type GateDependencies } from './policy.ts'
import type { Releases } from './releases/open-releases.ts'
import type { Seal } from './state/sessions/index.ts'

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
  /** Readers can ask questions here. */
  readonly hasAnswers?: boolean
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
      createBarRoutes(parts.hasAnswers ?? false),
      ...doors,
    ),
    identify,
    agents: parts.agents ?? null,
    signIn: createSignIn(parts),
    serve: createServe({ ...parts, releases: withNotices(parts.releases, [...notices, viewNotice], isTold) }),
    observe: parts.observe,
  })
}

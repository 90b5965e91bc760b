import { challengeHeader } from '@sekisho/contract/agents'
import { createResolve, type ResolveOptions } from './access/resolve.ts'
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
import type { Acknowledgements } from './endpoints/acknowledgements/acknowledgements.ts'
import { createHealthRoutes } from './endpoints/health/health-route.ts'
import type { NoticeOf } from './endpoints/reading/notices.ts'
import { createServe, type ServeOptions } from './endpoints/reading/serve.ts'
import { createSignIn, type SignInOptions } from './endpoints/sign-in/strangers.ts'
import type { PartState } from './kernel/monitoring/health.ts'
import type { Html } from './kernel/pages/html.ts'
import { problem } from './kernel/pages/problem.ts'
import type { Reader } from './kernel/reader.ts'
import { joinRoutes, type RouteTable } from './kernel/route-table.ts'
import { createToday } from './kernel/today.ts'
import { createGate, type Gate, type GateDependencies } from './policy.ts'
import type { Seal } from './state/sessions/index.ts'

/** Parts of any host's gate. */
export interface HostParts
  extends Omit<ResolveOptions, 'views'>,
    OwnSessionsOptions,
    Pick<AccountPageOptions, 'timeZone'>,
    Omit<ServeOptions, 'notices' | 'pageNotes'>,
    SignInOptions,
    Omit<SessionRoutesOptions, 'openSession' | 'isSignInConfigured'>,
    Pick<GateDependencies, 'observe'> {
  readonly ownAgents?: AccountPageOptions['ownAgents']
  /** Readers can ask questions here. */
  readonly hasAnswers?: boolean
  /** Acknowledgement of pages; absent on the hosts of previews. */
  readonly acknowledging?: Pick<Acknowledgements, 'formOf' | 'reviewOf' | 'openItems' | 'countOpen'>
  /** News since a reader's last visit; absent on the hosts of previews, and where the operator turned it off. */
  readonly newsOf?: ServeOptions['pageNotes']['newsOf']
  readonly newsSection?: (reader: Reader) => readonly Html[]
  /** Further sections of the account page on the main origin. */
  readonly ownSections?: AccountPageOptions['sections']
  readonly cookies: SignInOptions['cookies']
  readonly sessions: ResolveOptions['sessions'] &
    OwnSessionsOptions['sessions'] &
    SessionRoutesOptions['sessions']
  readonly audit: ResolveOptions['audit'] & ServeOptions['audit'] & ViewAsOptions['audit']
  /** Seals what browsers keep for the gate. */
  readonly seal: Seal
  readonly health: () => PartState | Promise<PartState>
}

const NO_ACKNOWLEDGEMENTS = {
  formOf: async () => null,
  reviewOf: async () => null,
  openItems: async () => [],
  countOpen: async () => 0,
}

/** The gate of one host: the policy, the endpoints that readers find on every host, and this one's own. */
export function createHostGate(
  parts: HostParts,
  signIn: Pick<SessionRoutesOptions, 'openSession' | 'isSignInConfigured'>,
  endpoints: readonly RouteTable[],
  notices: readonly NoticeOf[] = [],
): Gate {
  const views = createViews(parts.origin, parts.seal)
  const own = createOwnSessions(parts)
  const { acknowledging = NO_ACKNOWLEDGEMENTS, newsOf = async () => null, newsSection = () => [] } = parts
  const { ownSections = async () => [] } = parts
  const today = createToday(parts)
  return createGate({
    origin: parts.origin,
    routes: joinRoutes(
      createHealthRoutes(parts.health),
      createSessionRoutes({ ...parts, ...signIn }, own),
      createAccountRoutes(
        {
          ...parts,
          ownAgents: parts.ownAgents ?? null,
          openItems: acknowledging.openItems,
          sections: async (reader) => [
            ...viewAsSection(reader),
            ...newsSection(reader),
            ...(await ownSections(reader)),
          ],
        },
        own,
      ),
      createViewAsRoutes({ ...parts, views }),
      createBarRoutes(parts.hasAnswers ?? false),
      ...endpoints,
    ),
    resolve: createResolve({ ...parts, views }),
    signIn: createSignIn(parts),
    challenge: () =>
      problem('signed_out', { headers: { 'WWW-Authenticate': challengeHeader(parts.origin) } }),
    serve: createServe({
      ...parts,
      notices: [...notices, viewNotice],
      pageNotes: { ...acknowledging, newsOf, today },
    }),
    observe: parts.observe,
  })
}

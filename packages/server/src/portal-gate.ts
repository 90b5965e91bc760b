import { refusalOf } from './access/policy.ts'
import {
  type AcknowledgementsOptions,
  createAcknowledgements,
} from './endpoints/acknowledgements/acknowledgements.ts'
import { createOpinionRoutes, type OpinionsOptions } from './endpoints/opinions/opinions-api.ts'
import type { LoginBundle } from './endpoints/sign-in/login-bundle.ts'
import { createLoginRoutes } from './endpoints/sign-in/login-page.ts'
import {
  createOpenSession,
  createSignInDoor,
  type OpenSessionOptions,
} from './endpoints/sign-in/open-session.ts'
import { createHostGate, type HostParts } from './host-gate.ts'
import type { RouteTable } from './kernel/route-table.ts'
import type { Gate } from './policy.ts'
import type { SessionRow } from './state/sessions/index.ts'

/** Parts of the main origin's gate. */
export type PortalParts = Omit<HostParts, 'endAtProvider'> &
  Omit<OpenSessionOptions, 'refusalOf'> &
  OpinionsOptions &
  AcknowledgementsOptions & {
    readonly loginBundle: LoginBundle
    /** Doors behind which more stands than a table: search, publishing, the way to previews. */
    readonly doors: readonly RouteTable[]
  }

/** The gate of the main origin. */
export function createPortalGate(parts: PortalParts): Gate {
  const { providers } = parts
  const door = createSignInDoor({ ...parts, refusalOf: (account) => refusalOf(parts.policy(), account) })
  const signIn = { openSession: createOpenSession(parts, door), isSignInConfigured: providers.length > 0 }
  const byIssuer = new Map(providers.map((provider) => [provider.issuer, provider]))
  const endAtProvider = async (ended: SessionRow) =>
    (await byIssuer.get(ended.issuer)?.endSession?.(parts.sessions.refreshTokenOf(ended))) ?? null
  const acknowledging = createAcknowledgements(parts)
  return createHostGate({ ...parts, endAtProvider, acknowledging }, signIn, [
    createLoginRoutes(parts.loginBundle),
    createOpinionRoutes(parts),
    acknowledging.routes,
    ...providers.map((provider) => provider.routes(door)),
    ...parts.doors,
  ])
}

import { createOpinionRoutes, type OpinionsOptions } from './doors/opinions/opinions-api.ts'
import type { LoginBundle } from './doors/sign-in/login-bundle.ts'
import { createLoginRoutes } from './doors/sign-in/login-page.ts'
import { createOpenSession, type OpenSessionOptions } from './doors/sign-in/open-session.ts'
import type { RouteTable } from './frame/route-table.ts'
import { createHostGate, type HostParts } from './host-gate.ts'
import type { Gate } from './policy.ts'

/** What the main origin's gate is made of. */
export type PortalParts = HostParts &
  OpenSessionOptions &
  OpinionsOptions & {
    readonly loginBundle: LoginBundle
    /** Doors behind which more stands than a table: the identity service's pages, search, publishing, the way to previews. */
    readonly doors: readonly RouteTable[]
  }

/** The gate of the main origin. */
export function createPortalGate(parts: PortalParts): Gate {
  const signIn = { openSession: createOpenSession(parts), isSignInConfigured: parts.identity !== null }
  return createHostGate(parts, signIn, [
    createLoginRoutes(parts.loginBundle),
    createOpinionRoutes(parts),
    ...parts.doors,
  ])
}

import { refusalOf } from './access/policy.ts'
import { createRecordsPage, type KeptRecords, recordsSection } from './endpoints/account/records-page.ts'
import {
  type AcknowledgementsOptions,
  createAcknowledgements,
} from './endpoints/acknowledgements/acknowledgements.ts'
import type { WhatsNew } from './endpoints/changes/whats-new.ts'
import { createFeedbackRoutes, type FeedbackOptions } from './endpoints/feedback/feedback-api.ts'
import type { Watches } from './endpoints/notices/watches.ts'
import type { OwnedPages } from './endpoints/owned/owned-pages.ts'
import type { LoginBundle } from './endpoints/sign-in/login-bundle.ts'
import { createLoginRoutes } from './endpoints/sign-in/login-page.ts'
import {
  createOpenSession,
  createSignInReceiver,
  type OpenSessionOptions,
} from './endpoints/sign-in/open-session.ts'
import { createHostGate, type HostParts } from './host-gate.ts'
import type { RouteTable } from './kernel/route-table.ts'
import type { Gate } from './policy.ts'
import type { SessionRow } from './state/sessions/index.ts'

/** Parts of the main origin's gate. */
export type PortalParts = Omit<HostParts, 'endAtProvider'> &
  Omit<OpenSessionOptions, 'refusalOf'> &
  FeedbackOptions &
  AcknowledgementsOptions & {
    readonly loginBundle: LoginBundle
    /** Null where the operator turned it off. */
    readonly whatsNew: WhatsNew | null
    /** Null where no mail server is named. */
    readonly watches: Watches | null
    /** Null where no page has an owner. */
    readonly ownedPages: OwnedPages | null
    readonly keptRecords: KeptRecords
    /** Endpoints behind which more stands than a table: search, publishing, the way to previews. */
    readonly endpoints: readonly RouteTable[]
  }

/** The gate of the main origin. */
export function createPortalGate(parts: PortalParts): Gate {
  const { providers } = parts
  const receiver = createSignInReceiver({
    ...parts,
    refusalOf: (account) => refusalOf(parts.policy(), account),
  })
  const signIn = { openSession: createOpenSession(parts, receiver), isSignInConfigured: providers.length > 0 }
  const byIssuer = new Map(providers.map((provider) => [provider.issuer, provider]))
  const endAtProvider = async (ended: SessionRow) =>
    (await byIssuer.get(ended.issuer)?.endSession?.(parts.sessions.refreshTokenOf(ended))) ?? null
  const acknowledging = createAcknowledgements(parts)
  const ownSections: HostParts['ownSections'] = async (reader) => [
    ...((await parts.watches?.watchSection(reader)) ?? []),
    ...(parts.ownedPages?.ownedSection(reader) ?? []),
    recordsSection(reader),
  ]
  return createHostGate({ ...parts, ...parts.whatsNew, endAtProvider, acknowledging, ownSections }, signIn, [
    createLoginRoutes(parts.loginBundle),
    createFeedbackRoutes(parts),
    acknowledging.routes,
    ...(parts.whatsNew === null ? [] : [parts.whatsNew.routes]),
    ...(parts.watches === null ? [] : [parts.watches.routes]),
    ...(parts.ownedPages === null ? [] : [parts.ownedPages.routes]),
    createRecordsPage(parts.keptRecords),
    ...providers.map((provider) => provider.routes(receiver)),
    ...parts.endpoints,
  ])
}

import type { AuditTrail } from '@sekisho/state/audit'
import type { Sessions } from '@sekisho/state/sessions'
import { previewSessionKeyOf } from '@sekisho/state/sessions'
import { withBanner } from './doors/previews/banner.ts'
import type { LivePreview } from './doors/previews/hand-over.ts'
import { narrow } from './doors/previews/preview-policy.ts'
import type { Tickets } from './doors/previews/tickets.ts'
import { createDoor, createVisitorRoutes } from './doors/previews/visitors.ts'
import { createSearchApi } from './doors/search/search-api.ts'
import type { SearchRunner } from './doors/search/search-runner.ts'
import { createSessionCookies } from './frame/session-cookies.ts'
import { createGate, type Gate, type GateDependencies } from './policy.ts'
import type { FollowedReleases } from './releases/open-releases.ts'

/** What the gates of previews share with the portal's. */
export type SharedDependencies = Pick<
  GateDependencies,
  | 'placeOf'
  | 'policy'
  | 'contentPolicy'
  | 'sessions'
  | 'audit'
  | 'accountLimit'
  | 'health'
  | 'observe'
  | 'now'
> & {
  /** The main origin. */
  readonly portal: URL
  readonly tickets: Tickets
  readonly runner: SearchRunner
  /** How long a cookie lives at most. */
  readonly maxAgeSeconds: number
}

/**
 * The gate of one preview: the same lines in the same order as the portal's, over its own releases, with a cookie, readers and audit
 * fields of its own.
 */
export function createPreviewGate(
  live: LivePreview,
  stored: FollowedReleases,
  shared: SharedDependencies,
): Gate {
  const { portal, tickets, runner, now } = shared
  const { preview, origin } = live
  const { name } = preview
  const releases = withBanner(stored, { preview, portal })
  const audit = auditOf(name, shared.audit)
  const sessions = onlyOwn(shared.sessions)
  const cookies = createSessionCookies(origin, shared.maxAgeSeconds, (token) =>
    previewSessionKeyOf(origin.host, token),
  )
  const policy = narrow(shared.policy, preview.readers)
  const log = { searched() {}, opened() {}, flush: async () => {} } // what is tried out says nothing about the portal
  const visitors = createVisitorRoutes({
    name,
    origin,
    portal,
    tickets,
    sessions,
    cookies,
    policy,
    audit,
    now,
  })
  return createGate({
    ...shared,
    origin,
    isPreview: true,
    observe: (exchange) => shared.observe({ ...exchange, preview: name }),
    loginPage: createDoor(),
    loginBundle: NO_BUNDLE,
    identityRoutes: visitors,
    identity: null,
    policy,
    sessions,
    cookies,
    releases,
    searchRoutes: createSearchApi({ origin, releases, runner, log, audit, now }).routes,
    publishRoutes: new Map(), // publishers ask at the portal
    feedbackLog: { keeps: false, write() {}, flush: async () => {} },
    audit,
  })
}

const NO_BUNDLE = { script: '', styles: [], icon: '', shell: '', assets: new Map() }

/** Every line says which preview it is of. */
function auditOf(preview: string, audit: AuditTrail): AuditTrail {
  return {
    ...audit,
    record: (event, fields) => audit.record(event, { ...fields, preview }),
    recordDurably: (event, fields) => audit.recordDurably(event, { ...fields, preview }),
    recordReading: (reading) => audit.recordReading({ ...reading, more: { ...reading.more, preview } }),
  }
}

/** A preview's content may be hostile: what it asks for in its reader's name reaches no session but its own. */
function onlyOwn(sessions: Sessions): Sessions {
  return {
    ...sessions,
    end: (key, _scope, reason) => sessions.end(key, 'one', reason),
    signOut: (key) => sessions.signOut(key, 'one'),
    ofSameAccount: async (own) => (await sessions.ofSameAccount(own)).filter(({ id }) => id === own.id),
  }
}

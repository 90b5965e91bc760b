import type { GateRequest } from '@sekisho/wire'
import { admits } from './access/policy.ts'
import { narrow } from './access/preview-policy.ts'
import type { AuditTrail } from './audit/index.ts'
import { createAnswerRoutes } from './endpoints/answers/answer-routes.ts'
import type { AnswerService } from './endpoints/answers/answer-service.ts'
import type { LivePreview } from './endpoints/previews/hand-over.ts'
import { previewNotice } from './endpoints/previews/preview-notice.ts'
import type { PreviewTickets } from './endpoints/previews/tickets.ts'
import { createEntryPage, createVisitorRoutes } from './endpoints/previews/visitors.ts'
import type { FairSearches } from './endpoints/search/fair-searches.ts'
import { createSearchRoutes } from './endpoints/search/search-api.ts'
import { createHostGate, type HostParts } from './host-gate.ts'
import { isFromHere } from './kernel/client/fetch-metadata.ts'
import { createSessionCookies } from './kernel/client/session-cookies.ts'
import { problem } from './kernel/pages/problem.ts'
import type { Gate } from './policy.ts'
import type { Releases } from './releases/open-releases.ts'
import type { Identity, Sessions } from './state/sessions/index.ts'
import { previewSessionKeyOf } from './state/sessions/index.ts'

/** Parts that previews share with the portal. */
export interface PreviewParts
  extends Pick<
    HostParts,
    'placeOf' | 'timeZone' | 'policy' | 'contentPolicy' | 'health' | 'observe' | 'seal' | 'now'
  > {
  readonly sessions: Sessions
  readonly audit: AuditTrail
  /** The main origin. */
  readonly portal: URL
  readonly tickets: PreviewTickets
  readonly searches: FairSearches
  /** Answers of the portal, whose limits they share; null where questions are not answered. */
  readonly answers: AnswerService | null
  /** Maximum lifetime of a cookie. */
  readonly maxAgeSeconds: number
}

/** Sign-in of a preview's host, which only accepts handed-over sessions. */
const createNoSignIn = (origin: URL) => ({
  openSession: (request: GateRequest) =>
    problem(isFromHere(request, origin) ? 'not_configured' : 'bad_origin'),
  isSignInConfigured: true,
})

/**
 * The gate of one preview: the portal's statements in the same order, with its own releases, cookie, readers and audit fields. Publishing
 * belongs to the portal, and searches and feedback are not counted here.
 */
export function createPreviewGate(
  live: LivePreview,
  releases: Pick<Releases, 'editions'>,
  shared: PreviewParts,
): Gate {
  const { portal, maxAgeSeconds, searches, answers } = shared
  const { preview, origin } = live
  const { name } = preview
  const keyOf = (token: string) => previewSessionKeyOf(origin.host, token)
  const policy = narrow(shared.policy, preview.readers)
  const parts = {
    ...shared,
    origin,
    loginPage: createEntryPage(),
    cookies: createSessionCookies(origin, maxAgeSeconds, keyOf),
    policy,
    isAdmitted: (account: Identity) => admits(policy(), account),
    sessions: onlyOwn(shared.sessions),
    endAtProvider: async () => null, // the portal's session goes on
    grants: null,
    ownAgents: null,
    hasAnswers: answers !== null,
    audit: auditOf(name, shared.audit),
    releases,
    observe: (exchange: Parameters<HostParts['observe']>[0]) =>
      shared.observe({ ...exchange, preview: name }),
  }
  const { audit } = parts
  const endpoints = [
    createVisitorRoutes({ ...parts, name }),
    createSearchRoutes({ ...parts, log: null }),
    ...(answers === null
      ? []
      : [
          createAnswerRoutes({
            ...parts,
            queryLog: NO_LOG,
            answers: answers.on({ origin, searches, audit, queryLog: NO_LOG }),
          }),
        ]),
  ]
  const told = { portal, timeZone: shared.timeZone }
  return createHostGate(parts, createNoSignIn(origin), endpoints, [
    ({ served }) => previewNotice(preview, told, served?.site ?? null),
  ])
}

const NO_LOG = { searched() {} }

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
    ofAccount: async () => [],
    ofSameAccount: async (own) => (await sessions.ofSameAccount(own)).filter(({ id }) => id === own.id),
  }
}

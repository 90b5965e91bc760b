import { FEEDBACK_PATH } from '../pages/page-feedback.ts'
import { MAX_PARTS_BODY_BYTES } from '../releases/publishing.ts'
import { PATHS } from './paths.ts'

/**
 * Credentials of a route. `open` needs no session and judges for itself; `reader` needs one. `publisher` and `agent` ignore cookies: the
 * one takes publishers' credentials alone, the other a token that a reader granted to a client.
 */
type Access = 'open' | 'reader' | 'publisher' | 'agent'

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE'

/** One address of the gate that is no file of the release. */
export interface Route {
  /** Compared as a whole with the canonical path of a request. */
  readonly path: string
  readonly methods: readonly Method[]
  readonly access: Access
  /** Longest request body; 0 where none is read. */
  readonly maxBodyBytes: number
}

const READ = ['GET', 'HEAD'] as const

/** Everything the gate answers by itself on the main origin, besides the login page's files and the pages of the identity service. */
export const ROUTES = {
  health: { path: PATHS.health, methods: READ, access: 'open', maxBodyBytes: 0 },
  /** Liveness of the process, whatever it can serve, for supervisors that restart it. */
  live: { path: PATHS.live, methods: READ, access: 'open', maxBodyBytes: 0 },
  /** One session: opened, looked at, ended. */
  session: {
    path: PATHS.session,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    access: 'open',
    maxBodyBytes: 16_384,
  },
  /** Every session of the reader's account. */
  sessions: {
    path: PATHS.sessions,
    methods: ['GET', 'HEAD', 'DELETE'],
    access: 'open',
    maxBodyBytes: 0,
  },
  search: { path: PATHS.search, methods: READ, access: 'reader', maxBodyBytes: 0 },
  searchOpened: {
    path: PATHS.searchOpened,
    methods: ['POST'],
    access: 'reader',
    maxBodyBytes: 8_192,
  },
  /** Answers to readers' questions, and what readers think of them; absent where the operator names no model. */
  answers: { path: '/__gate/answers', methods: ['POST'], access: 'reader', maxBodyBytes: 32_768 },
  answersFeedback: {
    path: '/__gate/answers/feedback',
    methods: ['POST'],
    access: 'reader',
    maxBodyBytes: 2_048,
  },
  ask: { path: '/__gate/ask', methods: ['GET', 'HEAD', 'POST'], access: 'reader', maxBodyBytes: 8_192 },
  askScript: { path: PATHS.askScript, methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** Pages that work without scripts, for sites without a theme of ours: the reader's account, and the search. */
  account: {
    path: PATHS.account,
    methods: ['GET', 'HEAD', 'POST'],
    access: 'reader',
    maxBodyBytes: 1_024,
  },
  /** Looking at the portal as another edition, for those whom the policy lets. */
  viewAs: { path: '/__gate/view-as', methods: ['POST'], access: 'reader', maxBodyBytes: 1_024 },
  searchPage: { path: '/__gate/search-page', methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** The script that brings both to a page that includes it. */
  bar: { path: '/__gate/bar.js', methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** On the main origin: a reader lets themselves be handed over to a preview. */
  handOver: {
    path: '/__gate/hand-over',
    methods: ['GET', 'HEAD', 'POST'],
    access: 'reader',
    maxBodyBytes: 1_024,
  },
  /** Acknowledgement of a page that was served to the reader's session. */
  acknowledge: { path: '/__gate/acknowledge', methods: ['POST'], access: 'reader', maxBodyBytes: 8_192 },
  /** Changes since the reader's last visit, in the reader's edition: for people, for feed readers, and for the theme. */
  whatsNew: {
    path: '/__gate/whats-new',
    methods: ['GET', 'HEAD', 'POST'],
    access: 'reader',
    maxBodyBytes: 1_024,
  },
  changesFeed: { path: '/__gate/changes.atom', methods: READ, access: 'reader', maxBodyBytes: 0 },
  updates: { path: PATHS.updates, methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** Folders whose changes the reader is told of by mail; absent where no mail server is named. */
  watches: { path: '/__gate/watches', methods: ['POST'], access: 'reader', maxBodyBytes: 8_192 },
  /** Readers of the pages that a reader owns, by week, and what was looked for there in vain. */
  owned: { path: '/__gate/owned', methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** Records that the portal keeps of its readers, for them. */
  records: { path: '/__gate/records', methods: READ, access: 'reader', maxBodyBytes: 0 },
  /** Helpfulness of a page to its reader. */
  feedback: { path: FEEDBACK_PATH, methods: ['POST'], access: 'reader', maxBodyBytes: 8_192 },
  /** Publishing: credentials become a ticket, with which everything else is asked (see publishing.ts). */
  publish: { path: '/__gate/publish', methods: ['POST'], access: 'publisher', maxBodyBytes: 65_536 },
  publishParts: {
    path: '/__gate/publish/parts',
    methods: ['POST'],
    access: 'publisher',
    maxBodyBytes: MAX_PARTS_BODY_BYTES,
  },
  publishPlan: {
    path: '/__gate/publish/plan',
    methods: ['POST'],
    access: 'publisher',
    maxBodyBytes: 4_096,
  },
  publishCommit: {
    path: '/__gate/publish/commit',
    methods: ['POST'],
    access: 'publisher',
    maxBodyBytes: 4_096,
  },
  publishReleases: {
    path: '/__gate/publish/releases',
    methods: ['GET', 'POST'],
    access: 'publisher',
    maxBodyBytes: 4_096,
  },
} as const satisfies Readonly<Record<string, Route>>

/** Routes of agents and of readers' consent; absent where the operator turned agents off. */
export const AGENT_ROUTES = {
  /** The Model Context Protocol. */
  mcp: agentEndpoint('/mcp'),
  /** The same, for clients and readers who write it like this. */
  mcpWithSlash: agentEndpoint('/mcp/'),
  /** Pages that name the files of code repositories they describe, for the CI of these. */
  covers: { path: '/__gate/covers', methods: ['GET'], access: 'agent', maxBodyBytes: 0 },
  /** Protected resource metadata (RFC 9728), at the addresses that clients try. */
  resource: openFileRoute('/.well-known/oauth-protected-resource'),
  resourceOfMcp: openFileRoute('/.well-known/oauth-protected-resource/mcp'),
  resourceOfMcpWithSlash: openFileRoute('/.well-known/oauth-protected-resource/mcp/'),
  /** Authorization server metadata (RFC 8414). */
  authorizationServer: openFileRoute('/.well-known/oauth-authorization-server'),
  /** Consent of a signed-in reader. */
  authorize: {
    path: '/oauth/authorize',
    methods: ['GET', 'HEAD', 'POST'],
    access: 'reader',
    maxBodyBytes: 8_192,
  },
  /** Token, revocation and registration endpoints (RFC 6749, 7009, 7591). */
  token: { path: '/oauth/token', methods: ['POST'], access: 'open', maxBodyBytes: 8_192 },
  revoke: { path: '/oauth/revoke', methods: ['POST'], access: 'open', maxBodyBytes: 8_192 },
  register: { path: '/oauth/register', methods: ['POST'], access: 'open', maxBodyBytes: 8_192 },
} as const satisfies Readonly<Record<string, Route>>

/** All of the main origin. */
export const PORTAL_ROUTES: readonly Route[] = [...Object.values(ROUTES), ...Object.values(AGENT_ROUTES)]

/** Routes in place of sign-in on a preview's host: a visitor goes to the main origin and returns with a ticket. */
export const PREVIEW_ROUTES = {
  /** Gives the visitor's browser a nonce, and tells where to go with its challenge. */
  begin: { path: '/__gate/preview/begin', methods: ['POST'], access: 'open', maxBodyBytes: 0 },
  /** Target of the main origin's form, which carries the ticket. */
  arrive: { path: '/__gate/preview/arrive', methods: ['POST'], access: 'open', maxBodyBytes: 1_024 },
  /** Exchanges the ticket for a session, if it is for this browser's nonce. */
  enter: { path: '/__gate/preview/enter', methods: ['POST'], access: 'open', maxBodyBytes: 1_024 },
} as const satisfies Readonly<Record<string, Route>>

/** Targets answered under any Host: load balancers probe a gate by its address. */
export const HOST_INDEPENDENT_TARGETS: ReadonlySet<string> = new Set([PATHS.health, PATHS.live])

/** Response of the health route while the gate serves; degraded parts appear on the metrics port alone. */
export const HEALTHY = { status: 'ok' } as const
export const DEGRADED = { status: 'degraded' } as const

/** Folder of the login page's own files, one route for each. */
export const LOGIN_PREFIX = '/__gate/login/'

/** An open route that is only read, as the login page's files and the identity service's pages are. */
export function openFileRoute(path: string) {
  return { path, methods: READ, access: 'open', maxBodyBytes: 0 } as const satisfies Route
}

function agentEndpoint(path: string) {
  return { path, methods: ['POST'], access: 'agent', maxBodyBytes: 65_536 } as const satisfies Route
}

/** Routes for browsers and messages of the OpenID provider of this name; all of them judge for themselves. */
export function signInRoutes(name: string) {
  const path = `/__gate/sign-in/${name}`
  return {
    /** The login page asks where to send the browser. */
    start: { path, methods: ['POST'], access: 'open', maxBodyBytes: 4_096 },
    /** The browser comes back. */
    callback: { path: `${path}/callback`, methods: ['GET'], access: 'open', maxBodyBytes: 0 },
    /** The provider says that an account or a session of its own is over (OpenID Connect Back-Channel Logout). */
    logout: { path: `${path}/backchannel-logout`, methods: ['POST'], access: 'open', maxBodyBytes: 16_384 },
    /** The same by Global Token Revocation. */
    revocation: { path: `${path}/revocation`, methods: ['POST'], access: 'open', maxBodyBytes: 16_384 },
  } as const satisfies Readonly<Record<string, Route>>
}

/** First segments that no file of a release may have. */
const RESERVED = /^\/(?:__|__gate|__sekisho)(?:\/|$)/

const AGENT_PATHS: ReadonlySet<string> = new Set(Object.values(AGENT_ROUTES).map(({ path }) => path))

/** Tells if a path belongs to the gate itself, so that a release must not claim it. */
export function isReservedPath(path: string): boolean {
  return AGENT_PATHS.has(path) || RESERVED.test(path)
}

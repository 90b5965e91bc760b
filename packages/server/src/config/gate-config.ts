import type { BlockList } from 'node:net'
import type { Grant } from '@sekisho/contract/grants'
import type { Language, Message } from '@sekisho/contract/language'
import type { Retention, StorePlace } from '@sekisho/release'
import type { EmbeddingEndpoint } from '@sekisho/search/embeddings'
import type { AccessPolicy } from '../access/policy.ts'
import type { IdentityConfig } from '../identity/provider.ts'
import type { LogLevel } from '../kernel/monitoring/log.ts'
import type { SessionLimits } from '../state/sessions/index.ts'
import type { AgentConfig } from './agent-settings.ts'
import type { AnswerConfig } from './answer-settings.ts'
import type { NoticeConfig } from './notice-settings.ts'

/** Risks that prevent a start: all clients would share one address, or any account could read. */
export const REFUSED_RISKS = [
  'no-proxy',
  'wide-proxies',
  'public-mail',
  'unchecked-tls',
  'clear-database',
  'clear-embeddings',
] as const
export type RefusedRisk = (typeof REFUSED_RISKS)[number]

/** A setting that is well formed and undoes a promise. */
export interface Risk {
  /** Code in `SEKISHO_ACCEPT_RISKS`; null when the gate starts with it anyway. */
  readonly code: RefusedRisk | null
  /** Says what to change. */
  readonly problem: Message
  readonly isAccepted: boolean
}

/** Address and access of the metrics port. */
export interface MetricsConfig {
  readonly host: string
  readonly port: number
  /** Token required of a scraper; null where none is. */
  readonly token: string | null
  /** Permitted networks; null where addresses do not matter. */
  readonly networks: BlockList | null
}

export type Mode = 'production' | 'local'

/** Everything the gate was told, read once. */
export interface GateConfig {
  readonly mode: Mode
  /** A warning for each setting under an earlier name. */
  readonly renamed: readonly Message[]
  /** Null in local mode without SEKISHO_ORIGIN: then it is `http://localhost` on the port that was opened. */
  readonly origin: URL | null
  readonly listen: { readonly host: string; readonly port: number }
  readonly dataDir: string
  /** Null where the data folder's own releases are served. */
  readonly releases: StorePlace | null
  /** Retention of earlier releases published through the gate. */
  readonly retention: Retention
  readonly publishing: {
    readonly rulesFile: string | null
    readonly maxBytes: number
    /** Files and redirects of one release. */
    readonly maxEntries: number
  }
  readonly site: { readonly title: string; readonly tagline: string }
  readonly loginLanguage: Language
  readonly identity: IdentityConfig
  /** By whose clock the gate's pages show times, as an IANA name. */
  readonly timeZone: string
  readonly access: { readonly policy: AccessPolicy } | { readonly file: string }
  /** Time for which the last valid policy and publish rules survive a mistake in their files; zero: none. */
  readonly policyKeepMs: number
  /** Grants of pages for other hosts. */
  readonly grants: readonly Grant[]
  readonly sessions: SessionLimits
  /** Permissions of agents; null where they are turned off. */
  readonly agents: AgentConfig | null
  readonly trustedProxies: BlockList
  /** The operator's name for the network of an address; null for all of them where networks have no names. */
  readonly placeOf: (address: string) => string | null
  /** Idle timeout of keep-alive connections. */
  readonly keepAliveMs: number
  /** Time that a supervisor gives the gate to end. */
  readonly stopWithinMs: number
  /** PostgreSQL that gates share, or a pooler before it; null keeps state in files of this machine. */
  readonly databaseUrl: string | null
  /** The same past the pooler; null where there is none. */
  readonly databaseListenUrl: string | null
  /** Null in local mode without a secret: then one is made and kept in the data folder. */
  readonly secret: string | null
  /** The secret that this one takes the place of; null but while it is being replaced. */
  readonly previousSecret: string | null
  /** Endpoint for vectors of readers' questions; null for keyword search alone. */
  readonly embeddings: EmbeddingEndpoint | null
  /** The operator's model for answers; null where readers cannot ask. */
  readonly answers: AnswerConfig | null
  /** Notices of publications and of what pages need; null where none are sent. */
  readonly notices: NoticeConfig | null
  /** Days for which searches are kept, without names; zero keeps none. */
  readonly searchLogDays: number
  /** Days for which feedback on pages is kept, without names; zero keeps none and asks for none. */
  readonly feedbackDays: number
  /** Readers of pages are counted by week, without names. */
  readonly hasReadership: boolean
  /** Readers are told what has changed since their last visit. */
  readonly hasWhatsNew: boolean
  /** Minimum retention of audit trail lines. */
  readonly auditKeepMs: number
  readonly metrics: MetricsConfig | null
  readonly logLevel: LogLevel
  /** Settings that are well formed and undo a promise. */
  readonly risks: readonly Risk[]
}

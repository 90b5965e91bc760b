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

/** Risks with which no gate starts: they make everybody one address, or anybody a reader. */
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
  /** What `SEKISHO_ACCEPT_RISKS` calls it; null when the gate starts with it anyway. */
  readonly code: RefusedRisk | null
  /** Says what to change. */
  readonly problem: Message
  readonly isAccepted: boolean
}

/** Where metrics are served, and to whom. */
export interface MetricsConfig {
  readonly host: string
  readonly port: number
  /** What a scraper has to show; null where none is asked for one. */
  readonly token: string | null
  /** Who may ask; null where addresses do not matter. */
  readonly networks: BlockList | null
}

export type Mode = 'production' | 'local'

/** Everything the gate was told, read once. */
export interface GateConfig {
  readonly mode: Mode
  /** Null in local mode without SEKISHO_ORIGIN: then it is `http://localhost` on the port that was opened. */
  readonly origin: URL | null
  readonly listen: { readonly host: string; readonly port: number }
  readonly dataDir: string
  /** Null where the data folder's own releases are served. */
  readonly releases: StorePlace | null
  /** How long earlier releases stay; for what is published through the gate. */
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
  /** How long the last valid policy and publish rules outlive a mistake in their files; zero: not at all. */
  readonly policyKeepMs: number
  /** What pages may use from other hosts. */
  readonly grants: readonly Grant[]
  readonly sessions: SessionLimits
  /** What agents may do; null where they are turned off. */
  readonly agents: AgentConfig | null
  readonly trustedProxies: BlockList
  /** The operator's name for the network of an address; null for all of them where networks have no names. */
  readonly placeOf: (address: string) => string | null
  /** How long a connection may rest between two requests. */
  readonly keepAliveMs: number
  /** How long whoever supervises the gate gives it to end. */
  readonly stopWithinMs: number
  /** PostgreSQL that gates share, or a pooler before it; null keeps state in files of this machine. */
  readonly databaseUrl: string | null
  /** The same past the pooler; null where there is none. */
  readonly databaseListenUrl: string | null
  /** Null in local mode without a secret: then one is made and kept in the data folder. */
  readonly secret: string | null
  /** The secret that this one takes the place of; null but while it is being replaced. */
  readonly previousSecret: string | null
  /** Where readers' questions become vectors; null where they are answered by their words alone. */
  readonly embeddings: EmbeddingEndpoint | null
  /** The operator's model for answers; null where readers cannot ask. */
  readonly answers: AnswerConfig | null
  /** Days for which searches are kept, without names; zero keeps none. */
  readonly searchLogDays: number
  /** Days for which opinions of pages are kept, without names; zero keeps none and asks for none. */
  readonly feedbackDays: number
  /** How long lines of the audit trail are kept at least. */
  readonly auditKeepMs: number
  readonly metrics: MetricsConfig | null
  readonly logLevel: LogLevel
  /** Settings that are well formed and undo a promise. */
  readonly risks: readonly Risk[]
}

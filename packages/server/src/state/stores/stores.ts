import type { AuditKey } from '../../audit/chain/audit-key.ts'
import type { AuditSource, AuditStore } from '../../audit/chain/audit-store.ts'
import type { TrimPlace } from '../../audit/reading/trim-trail.ts'
import type { AuditOptions, AuditTrail } from '../../audit/writing/audit-trail.ts'
import type { DataFolder } from '../../storage/data-folder.ts'
import type { DatabaseConnections } from '../../storage/database/database.ts'
import type { AcknowledgementStore } from '../acknowledgements/acknowledgement-store.ts'
import type { DailySum } from '../limits/daily-sum.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { NoticeStore } from '../notices/notice-store.ts'
import type { PublisherStore } from '../publishers/publisher-store.ts'
import type { ReadershipStore } from '../readership/readership-store.ts'
import type { SearchLogStore } from '../search-log/search-log-store.ts'
import type { SecretInUse, Secrets } from '../secrets/secrets.ts'
import type { LostWrites } from '../sessions/postgres/recent-writes.ts'
import type { SessionContext, SessionStore } from '../sessions/rows/session-store.ts'
import type { VisitStore } from '../visits/visit-store.ts'

/** State of a gate: in files of this machine, or a database that gates share. */
export interface Stores extends AsyncDisposable {
  readonly sessions: SessionStore
  readonly searchLog: SearchLogStore
  readonly publishers: PublisherStore
  readonly acknowledgements: AcknowledgementStore
  readonly visits: VisitStore
  readonly notices: NoticeStore
  readonly readership: ReadershipStore
  readonly accountLimit: RateLimit
  /** The secret that seals now, by `SecretRecord`; a gate calls it every ten seconds. */
  agreeOnSecret(): Promise<SecretInUse>
  /** The key that signs heads and exports of the trail. Throws `SecretError` for secrets that are not those of the database. */
  openAuditKey(secrets: Secrets): Promise<AuditKey>
  readonly registrationLimit: RateLimit
  /** Tokens that answers and rewrites of all gates used; null without a database. */
  readonly answerTokens: DailySum | null
  /** Opens the chain of this gate; the trail is closed before the stores are. */
  openTrail(options: Omit<AuditOptions, 'chain' | 'store' | 'key'>): Promise<AuditTrail>
  /** Opens the chain of operators' acts; of a data folder `recordOperatorAct` does. */
  openOperatorChain(): Promise<AuditStore>
  /** Every chain of the trail. */
  readonly audit: AuditSource
  /** Removes old lines, where gates may not; null where the gate does that by itself. */
  readonly trim: TrimPlace | null
  usage(): Promise<StoreUsage>
}

/** Space used by the stores. */
export interface StoreUsage {
  /** Of the whole trail; null while that cannot be asked. */
  readonly trailBytes: number | null
  /** Null without a database. */
  readonly connections: DatabaseConnections | null
}

export interface OpenStoresOptions {
  /** PostgreSQL that gates share; null keeps state in files of this machine. */
  readonly databaseUrl: string | null
  /** The same past a pooler, where `databaseUrl` leads to one. */
  readonly databaseListenUrl?: string | null
  readonly folder: DataFolder
  /** Of a gate; null for an operator's command, which names its own where it needs one. */
  readonly secrets: Secrets | null
  /** Null for an operator's command, which sees what belongs to any gate. */
  readonly context: SessionContext | null
  readonly onProblem: (problem: string) => void
  /** Told of what a database had taken and then had no more, once it is made good. */
  readonly onLost?: (lost: LostWrites) => void
  readonly now: () => number
}

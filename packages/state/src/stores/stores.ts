import type { AuditSource, AuditStore } from '../audit/audit-store.ts'
import type { AuditOptions, AuditTrail } from '../audit/audit-trail.ts'
import type { DataFolder } from '../data-folder.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { PublisherStore } from '../publishers/publisher-store.ts'
import type { SearchLogStore } from '../search-log/search-log-store.ts'
import type { SessionContext, SessionStore } from '../sessions/session-store.ts'

/** Where a gate keeps its state: files of this machine, or a database that gates share. */
export interface Stores extends AsyncDisposable {
  readonly sessions: SessionStore
  readonly searchLog: SearchLogStore
  readonly publishers: PublisherStore
  readonly accountLimit: RateLimit
  /** Opens the chain of this gate; the trail is closed before the stores are. */
  openTrail(options: Omit<AuditOptions, 'chain' | 'store' | 'key'>): Promise<AuditTrail>
  /** Opens the chain of operators' acts; of a data folder `recordOperatorAct` does. */
  openOperatorChain(): Promise<AuditStore>
  /** Every chain of the trail. */
  readonly audit: AuditSource
}

export interface OpenStoresOptions {
  /** PostgreSQL that gates share; null keeps state in files of this machine. */
  readonly databaseUrl: string | null
  readonly folder: DataFolder
  /** Null where no trail is opened, or for one that is made and kept in the folder. */
  readonly secret: string | null
  /** Null for an operator's command, which sees what belongs to any gate. */
  readonly context: SessionContext | null
  readonly onProblem: (problem: string) => void
  readonly now: () => number
}

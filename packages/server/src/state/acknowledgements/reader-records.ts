import { createNoticeStore, type NoticeStore } from '../notices/notice-store.ts'
import { createReadershipStore, type ReadershipStore } from '../readership/readership-store.ts'
import type { Sql } from '../sql/sql.ts'
import { openSqlite } from '../sql/sqlite.ts'
import { createVisitStore, type VisitStore } from '../visits/visit-store.ts'
import { type AcknowledgementStore, createAcknowledgementStore } from './acknowledgement-store.ts'

/** Records of readers: acknowledgements, last visits, notices, and readers of pages. */
export interface ReaderRecords extends AcknowledgementStore {
  readonly visits: VisitStore
  readonly notices: NoticeStore
  readonly readership: ReadershipStore
}

/** Keeps records of readers on either database. */
export const createReaderRecords = (sql: Sql): ReaderRecords => ({
  ...createAcknowledgementStore(sql),
  visits: createVisitStore(sql),
  notices: createNoticeStore(sql),
  readership: createReadershipStore(sql),
})

/** The records of one machine, for commands. */
export const openSqliteAcknowledgements = (file: string): ReaderRecords =>
  createReaderRecords(openSqlite({ kind: 'acknowledgements', file }))

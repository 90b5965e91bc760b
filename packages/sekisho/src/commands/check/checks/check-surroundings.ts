import { ReleaseError, type S3ClientOptions } from '@sekisho/release'
import { dataFolderAt } from '@sekisho/server/data-folder'
import type { GateConfig } from '@sekisho/server/settings'
import type { CommandIo } from '../../../command.ts'
import { withSettingsFile } from '../../../site/settings-file.ts'
import { checkBucketRights } from './bucket.ts'
import { checkDatabase } from './database.ts'
import { checkDisk } from './disk.ts'
import type { CheckResult } from './finding.ts'
import { checkIssuers } from './issuers.ts'
import { checkMachine } from './machine.ts'
import { checkModel } from './model.ts'
import { checkNotices } from './notices.ts'
import { findReadableSecrets } from './readable-secrets.ts'
import { checkReaders } from './readers.ts'

/** Checks without network requests. */
export function checkLocally(
  config: GateConfig,
  io: CommandIo,
  mayAsk = false,
): readonly (CheckResult | Promise<CheckResult>)[] {
  const { dataDir, listen, metrics, databaseUrl, auditKeepMs } = config
  const folder = dataFolderAt(dataDir)
  const ports = [
    { setting: 'SEKISHO_PORT', ...listen },
    ...(metrics === null
      ? []
      : [{ setting: 'SEKISHO_METRICS_PORT', host: metrics.host, port: metrics.port }]),
  ]
  return [
    checkMachine(folder, ports),
    checkDisk({ folder, nowMs: io.clock(), auditKeepMs: databaseUrl === null ? auditKeepMs : null }),
    { facts: [], findings: findReadableSecrets(withSettingsFile(io), folder) },
    checkReaders(config, io, mayAsk),
    checkNotices(config, io, mayAsk),
  ]
}

/** The same, and the services that a gate depends on. */
export function checkSurroundings(
  config: GateConfig,
  io: CommandIo,
): readonly (CheckResult | Promise<CheckResult>)[] {
  const { databaseUrl, databaseListenUrl, releases, publishing, identity } = config
  const { env, clock } = io
  const issuers = identity.providers.map(({ owner }) => owner.issuer).filter((issuer) => URL.canParse(issuer))
  return [
    ...checkLocally(config, io, true),
    ...(databaseUrl === null ? [] : [checkDatabase(databaseListenUrl ?? databaseUrl, clock)]),
    ...(releases === null || 'folder' in releases
      ? []
      : [checkBucketOf(releases.bucket, publishing.rulesFile === null)]),
    checkIssuers(issuers, { fetch, clock, env }),
    ...(config.answers === null ? [] : [checkModel(config.answers)]),
  ]
}

/** Leaves an unreachable bucket to the check of its release. */
async function checkBucketOf(address: S3ClientOptions, mayOnlyRead: boolean): Promise<CheckResult> {
  try {
    return await checkBucketRights(address, { mayOnlyRead })
  } catch (error) {
    if (error instanceof ReleaseError) return { facts: [], findings: [] }
    throw error
  }
}

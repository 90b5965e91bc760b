import { ReleaseError, type S3ClientOptions } from '@sekisho/release'
import { dataFolderAt } from '@sekisho/server/data-folder'
import type { GateConfig } from '@sekisho/server/settings'
import type { CommandIo } from '../../../command.ts'
import { withSettingsFile } from '../../../site/settings-file.ts'
import { lookAtBucket } from './bucket.ts'
import { lookAtDisk } from './disk.ts'
import type { Look } from './finding.ts'
import { lookAtDatabase } from './look-at-database.ts'
import { findReadableSecrets } from './look-at-files.ts'
import { lookAtIssuers } from './look-at-issuers.ts'
import { lookAtMachine } from './look-at-machine.ts'
import { lookAtModel } from './look-at-model.ts'
import { lookAtReaders } from './look-at-readers.ts'

/** Checks without network requests. */
export function lookInside(
  config: GateConfig,
  io: CommandIo,
  mayAsk = false,
): readonly (Look | Promise<Look>)[] {
  const { dataDir, listen, metrics, databaseUrl, auditKeepMs } = config
  const folder = dataFolderAt(dataDir)
  const ports = [
    { setting: 'SEKISHO_PORT', ...listen },
    ...(metrics === null
      ? []
      : [{ setting: 'SEKISHO_METRICS_PORT', host: metrics.host, port: metrics.port }]),
  ]
  return [
    lookAtMachine(folder, ports),
    lookAtDisk({ folder, nowMs: io.clock(), auditKeepMs: databaseUrl === null ? auditKeepMs : null }),
    { facts: [], findings: findReadableSecrets(withSettingsFile(io), folder) },
    lookAtReaders(config, io, mayAsk),
  ]
}

/** The same, and the services that a gate depends on. */
export function lookAround(config: GateConfig, io: CommandIo): readonly (Look | Promise<Look>)[] {
  const { databaseUrl, databaseListenUrl, releases, publishing, identity } = config
  const { env, clock } = io
  const issuers = identity.providers.map(({ owner }) => owner.issuer).filter((issuer) => URL.canParse(issuer))
  return [
    ...lookInside(config, io, true),
    ...(databaseUrl === null ? [] : [lookAtDatabase(databaseListenUrl ?? databaseUrl, clock)]),
    ...(releases === null || 'folder' in releases
      ? []
      : [lookAtBucketOf(releases.bucket, publishing.rulesFile === null)]),
    lookAtIssuers(issuers, { fetch, clock, env }),
    ...(config.answers === null ? [] : [lookAtModel(config.answers)]),
  ]
}

/** Leaves an unreachable bucket to the check of its release. */
async function lookAtBucketOf(address: S3ClientOptions, mayOnlyRead: boolean): Promise<Look> {
  try {
    return await lookAtBucket(address, { mayOnlyRead })
  } catch (error) {
    if (error instanceof ReleaseError) return { facts: [], findings: [] }
    throw error
  }
}

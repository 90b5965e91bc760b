import { sign } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages } from '@sekisho/contract/language'
import { isErrno } from '@sekisho/release'
import { type AuditKey, openAuditKey } from '@sekisho/server/audit'
import type { Stores } from '@sekisho/server/state'
import { type CommandIo, readDataFolder } from '../../command.ts'
import { readSecrets } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'reports')

/** The key that signs exports: the one of the audit trail. */
export async function exportKey(
  stores: Pick<Stores, 'trim' | 'openAuditKey'>,
  dataDir: string | undefined,
  io: CommandIo,
): Promise<AuditKey> {
  const isFolder = dataDir !== undefined || stores.trim === null
  return isFolder ? openAuditKey(readDataFolder(dataDir, io).auditKey) : stores.openAuditKey(readSecrets(io))
}

/** Makes the folder of an export. Throws {@link ExplainedError} where it exists. */
export function makeExportFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    throw new ExplainedError(messageOf('export_folder_exists', folder))
  }
}

/** Makes the folder whose files become a ZIP archive, beside it. Throws {@link ExplainedError} where the archive exists. */
export function makeFolderOfZip(file: string): string {
  if (existsSync(file)) throw new ExplainedError(messageOf('export_folder_exists', file))
  return mkdtempSync(`${file}-`)
}

/** Signs a file of an export with Ed25519, beside it. Returns the command that verifies it; the folder gets the public key. */
export function signFile(folder: string, name: string, key: AuditKey): string {
  writeFileSync(join(folder, PUBLIC_KEY), key.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(join(folder, `${name}.sig`), sign(null, readFileSync(join(folder, name)), key.privateKey))
  return verifyCommand(name)
}

const PUBLIC_KEY = 'public-key.pem'

export const verifyCommand = (name: string): string =>
  `openssl pkeyutl -verify -pubin -inkey ${PUBLIC_KEY} -rawin -in ${name} -sigfile ${name}.sig`

import { statSync } from 'node:fs'
import type { Message } from '@sekisho/contract/language'
import type { DataFolder } from '@sekisho/server/data-folder'
import { found } from './finding.ts'

/** Settings that name files with secrets in them. */
const SECRET_FILE =
  /(?:SECRET|SECRET_PREVIOUS|ACCESS_KEY|SESSION_TOKEN|PRIVATE_KEY|DATABASE_URL|LISTEN_URL)_FILE$/
const ANYBODY = 0o007

/** Files with secrets that any account of this machine may read or write; a group is tolerated, for container accounts. */
export function findReadableSecrets(
  env: Readonly<Record<string, string | undefined>>,
  { auditKey }: DataFolder,
): readonly Message[] {
  if (process.platform === 'win32') return [] // its modes say nothing of who may read
  const named = Object.entries(env).filter(([name]) => SECRET_FILE.test(name))
  return [...named, ['audit-key.pem', auditKey] as const].flatMap(([what, path = '']) => {
    const mode = modeOf(path.trim())
    if (mode === null || (mode & ANYBODY) === 0) return []
    return [found('file_readable', what, path.trim(), `0${(mode & 0o777).toString(8)}`)]
  })
}

/** Null where there is no file, which is said elsewhere. */
function modeOf(path: string): number | null {
  try {
    return statSync(path).mode
  } catch {
    return null
  }
}

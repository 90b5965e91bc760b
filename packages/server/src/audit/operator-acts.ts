import { existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DataFolder } from '../storage/data-folder.ts'
import type { AuditFields } from './chain/audit-event.ts'
import { type AuditKey, openAuditKey, readNote, signNote } from './chain/audit-key.ts'
import { createAuditQueue } from './chain/audit-queue.ts'
import type { AuditStore } from './chain/audit-store.ts'
import { openAuditFolder } from './files/audit-folder.ts'
import { missingLines } from './writing/lost-end.ts'

/** The chain of whatever is done to a data folder beside the gate. */
export const OPERATOR_CHAIN = 'operator'

/** The acting operator: the system's account, and the given name. */
interface Operator {
  readonly user: string
  readonly host: string
  /** Null unless `SEKISHO_OPERATOR` says more, as a pipeline does that runs under a user of its own. */
  readonly name: string | null
}

export type OperatorAct =
  | 'release_published'
  | 'release_rolled_back'
  | 'release_removed'
  | 'preview_removed'
  | 'sessions_revoked'
  | 'agents_revoked'
  | 'address_unbound'
  | 'audit_exported'
  | 'audit_followed'
  | 'audit_trimmed'
  | 'state_moved'
  | 'state_backed_up'
  | 'state_restored'
  | 'access_reviewed'
  | 'acknowledgements_exported'
  | 'manual_exported'
  | 'links_checked'
  | 'publish_token_created'
  | 'publish_token_removed'

const LOCK = 'audit-operator.lock'
const LOCK_MS = 10_000
const LOCK_STEP_MS = 20

/** Reads the operator from this process; `SUDO_USER` names the account behind root. */
export function readOperator(env: Readonly<Record<string, string | undefined>>): Operator {
  const { username } = userInfo()
  const user = env.SUDO_USER === undefined ? username : `${username} (sudo ${env.SUDO_USER})`
  return { user, host: hostname(), name: env.SEKISHO_OPERATOR?.trim() || null }
}

/**
 * Records what an operator is about to do; resolves once the line would survive a power cut, and rejects when it cannot be
 * written: then it must not be done. One process at a time, the next one waits up to ten seconds.
 */
export async function recordOperatorAct(
  folder: Pick<DataFolder, 'root' | 'audit' | 'auditKey'>,
  operator: Operator,
  act: OperatorAct,
  fields: AuditFields,
): Promise<void> {
  mkdirSync(folder.root, { recursive: true, mode: 0o700 })
  const lock = await lockChain(folder.root)
  try {
    const key = openAuditKey(folder.auditKey)
    const store = openAuditFolder({ places: folder.audit, chain: OPERATOR_CHAIN, now: Date.now })
    await appendOperatorAct({ store, key }, operator, act, fields)
  } finally {
    lock.close()
    leaveToOwner(folder)
  }
}

/**
 * The same for a store that is open. Of two who act at once one is refused.
 * @param trail the store of the chain `OPERATOR_CHAIN`
 */
export async function appendOperatorAct(
  { store, key }: { readonly store: AuditStore; readonly key: AuditKey },
  operator: Operator,
  act: OperatorAct,
  fields: AuditFields,
): Promise<void> {
  const queue = createAuditQueue(store.end.head)
  const at = new Date().toISOString()
  let removed = store.end.before
  for (const text of await store.readHeads()) {
    const note = readNote(text, key.publicKey)
    if (note === null) continue
    const { chain, head } = note
    if (chain === OPERATOR_CHAIN) removed = note.removed
    if (chain !== OPERATOR_CHAIN)
      queue.add({ at, event: 'head_noted', chain, line: head.seq, head: head.hash })
    else if (head.seq > store.end.head.seq)
      queue.add({ at, event: 'lines_missing', ...missingLines(store.end, note) })
  }
  const { user, host, name } = operator
  queue.add({ at, event: 'operator_acted', act, user, host, operator: name, ...fields })
  const batch = queue.first()
  if (batch === null) return
  await store.append(batch)
  await store.writeHead(signNote({ chain: OPERATOR_CHAIN, head: batch.head, removed, at }, key))
}

/** Waits beside other commands, and without holding up whatever else this process does. */
async function lockChain(root: string): Promise<DatabaseSync> {
  for (let waitedMs = 0; ; waitedMs += LOCK_STEP_MS) {
    const lock = new DatabaseSync(join(root, LOCK), { timeout: 0 })
    try {
      lock.exec('BEGIN EXCLUSIVE')
      return lock
    } catch (error) {
      lock.close()
      if (waitedMs >= LOCK_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_STEP_MS))
  }
}

/** Keeps files written by root readable for the gate's user, who owns the folder. */
function leaveToOwner({ root, audit, auditKey }: Pick<DataFolder, 'root' | 'audit' | 'auditKey'>): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(root)
  const folders = [audit.lines, audit.heads].filter((path) => existsSync(path))
  const files = folders.flatMap((path) => readdirSync(path).map((name) => join(path, name)))
  const own = [join(root, LOCK), auditKey].filter((path) => existsSync(path))
  for (const path of [...folders, ...files, ...own]) lchownSync(path, uid, gid)
}

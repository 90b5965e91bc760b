import type { ChainHead } from '../chain/audit-chain.ts'
import { type AuditKey, signNote } from '../chain/audit-key.ts'
import type { AuditStore } from '../chain/audit-store.ts'

/** Storage whose lines are removed by others than their writer, with signed notes. */
export interface TrimPlace {
  listChains(): Promise<readonly string[]>
  /** Opens a chain to remove lines of it. */
  open(chain: string): Promise<Pick<AuditStore, 'end' | 'findRemovable' | 'remove'>>
  /** Keeps the signed note of the last line that was removed of a chain, in place of the one before. */
  noteRemoval(chain: string, signed: string): Promise<void>
}

export interface TrimOptions {
  readonly place: TrimPlace
  readonly key: AuditKey
  /** Lines older than this go. */
  readonly beforeMs: number
  readonly now: () => number
  /** Records what is about to be removed, in another chain than that; rejects when it cannot be written. */
  readonly record: (removed: { readonly chain: string; readonly through: ChainHead }) => Promise<void>
  /** Told of how many lines went so far. */
  readonly onProgress: (lines: number) => void
}

/** Lines removed from a chain. */
interface Trimmed {
  readonly chain: string
  readonly lines: number
  readonly through: ChainHead
}

/**
 * Removes lines of every chain that are older than they have to be kept, some thousands at a time: each time it is recorded, signed, and
 * then done, so that one that is broken off leaves a trail that verifies.
 */
export async function trimTrail(options: TrimOptions): Promise<readonly Trimmed[]> {
  const { place, key, beforeMs, now, record, onProgress } = options
  const trimmed: Trimmed[] = []
  let total = 0
  for (const chain of await place.listChains()) {
    const store = await place.open(chain)
    let through = store.end.before
    for (;;) {
      const last = await store.findRemovable(beforeMs)
      if (last === null) break
      await record({ chain, through: last })
      const at = new Date(now()).toISOString()
      await place.noteRemoval(chain, signNote({ chain, head: last, removed: last, at }, key))
      await store.remove(last)
      total += last.seq - through.seq
      through = last
      onProgress(total)
    }
    const lines = through.seq - store.end.before.seq
    if (lines > 0) trimmed.push({ chain, lines, through })
  }
  return trimmed
}

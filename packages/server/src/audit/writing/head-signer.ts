import { type AuditKey, type ChainNote, signNote } from '../chain/audit-key.ts'
import type { AuditStore } from '../chain/audit-store.ts'

/** Signs where a chain ends: one head at a time, so that an older one never replaces a newer. */
export interface HeadSigner {
  /** Within ten seconds, once for all lines until then. */
  signSoon(): void
  /** Resolves to whether what is kept is signed as it is now. */
  sign(): Promise<boolean>
  /** Discards the last signature, even if the chain may end with a line of the same number. */
  outdate(): void
}

interface HeadSignerOptions {
  readonly store: Pick<AuditStore, 'writeHead'>
  readonly key: AuditKey
  readonly noteNow: () => ChainNote
  readonly onFailure: (error: unknown) => void
}

/** Maximum age of a signed head, after which lines cut from the end are detected. */
const SIGN_MS = 10_000

export function createHeadSigner({ store, key, noteNow, onFailure }: HeadSignerOptions): HeadSigner {
  let signedSeq = -1
  let timer: NodeJS.Timeout | null = null
  let signing: Promise<boolean> = Promise.resolve(true)

  async function signNow(): Promise<boolean> {
    const note = noteNow()
    if (signedSeq === note.head.seq) return true
    try {
      await store.writeHead(signNote(note, key))
      signedSeq = note.head.seq
      return true
    } catch (error) {
      onFailure(error)
      return false
    }
  }
  function sign(): Promise<boolean> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    signing = signing.then(signNow)
    return signing
  }
  return {
    sign,
    signSoon() {
      timer ??= setTimeout(sign, SIGN_MS).unref()
    },
    outdate() {
      signedSeq = -1
    },
  }
}

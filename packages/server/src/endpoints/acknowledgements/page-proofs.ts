import { isRecord } from '@sekisho/contract/json-shape'
import type { Account, Seal, Session } from '../../state/sessions/index.ts'

/** Proof that a session was served a page, in this content. */
export interface PageProof {
  readonly path: string
  readonly version: string
  /** SHA-256 of the page and of its text, as served. */
  readonly page: string
  readonly text: string
  readonly release: string
  readonly servedAtMs: number
}

/** Seals and opens proofs, each bound to one session of one account on one host. */
interface PageProofs {
  issue(session: Session, proof: PageProof): string
  /** Null for text that is forged, too old, or of another session, account or host. */
  open(session: Session, text: string): PageProof | null
}

/** A page may be read over a day; then it has to be opened again. */
const VALID_MS = 24 * 3_600_000
const MAX_CHARS = 4_096

/** Creates proofs that a browser keeps inside the form of a page. */
export function createPageProofs(origin: URL, seal: Seal, now: () => number): PageProofs {
  const contextOf = ({ id, issuer, sub }: Session & Account) =>
    JSON.stringify(['page served', origin.host, id, issuer, sub])
  return {
    issue: (session, proof) =>
      Buffer.from(seal.close(JSON.stringify(proof), contextOf(session))).toString('base64url'),
    open(session, text) {
      if (text.length > MAX_CHARS || !/^[\w-]+$/.test(text)) return null
      const opened = seal.open(Buffer.from(text, 'base64url'), contextOf(session))
      const value: unknown = opened === null ? null : JSON.parse(opened)
      if (!isProof(value)) return null
      const ageMs = now() - value.servedAtMs
      return ageMs >= 0 && ageMs <= VALID_MS ? value : null
    },
  }
}

/** Only a gate can have sealed it; a gate of another version may have meant another shape. */
function isProof(value: unknown): value is PageProof {
  if (!isRecord(value)) return false
  const texts = [value.path, value.version, value.page, value.text, value.release]
  return texts.every((text) => typeof text === 'string') && typeof value.servedAtMs === 'number'
}

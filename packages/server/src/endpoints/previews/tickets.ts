import { createHash, hash, randomBytes } from 'node:crypto'
import { TICKET_SHAPE } from '@sekisho/contract/preview-entry'
import type { Seal, SessionKey, SpentToken } from '../../state/sessions/index.ts'

/** Lifetime of a ticket: a form's way from one host to the other. */
export const TICKET_MS = 30_000
/** Clocks of two gates differ by less. */
const CLOCK_SLACK_MS = 5_000

/** Form of the nonce of a visitor's browser, and of its digest. */
export const NONCE_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** A nonce stays in the browser that requested it; the main origin sees its challenge only. */
export function createNonce(): string {
  return randomBytes(32).toString('base64url')
}

export function challengeOf(nonce: string): string {
  return hash('sha256', nonce, 'base64url')
}

/** For whom a ticket is. */
interface Bearer {
  /** Host of the preview, port included. */
  readonly host: string
  readonly challenge: string
}

/** Content of a valid ticket. */
interface OpenedTicket {
  /** The session of the main origin whose reader is handed over. */
  readonly parent: SessionKey
  /** To be spent with the session it becomes. */
  readonly spent: SpentToken
}

/** Tickets that lead from the main origin to a preview. Nothing is stored: any gate with the same secret opens them. */
export interface PreviewTickets {
  issue(parent: SessionKey, bearer: Bearer): string
  /** Null for a ticket of another host or browser, an expired or an invalid one. */
  open(ticket: string, bearer: Bearer): OpenedTicket | null
}

export function createPreviewTickets({
  seal,
  now,
}: {
  readonly seal: Seal
  readonly now: () => number
}): PreviewTickets {
  /** Holds a space, which no session's key does: nothing else that is sealed is a ticket. */
  const contextOf = ({ host, challenge }: Bearer) => `hand-over ${host} ${challenge}`
  return {
    issue: (parent, bearer) =>
      Buffer.from(seal.close(`${parent} ${now()}`, contextOf(bearer))).toString('base64url'),
    open(ticket, bearer) {
      if (!TICKET_SHAPE.test(ticket)) return null
      const sealed = Buffer.from(ticket, 'base64url')
      const [, parent, issuedAt] =
        /^([\w-]{43}) (\d+)$/.exec(seal.open(sealed, contextOf(bearer)) ?? '') ?? []
      const ageMs = now() - Number(issuedAt)
      if (parent === undefined || !(ageMs >= -CLOCK_SLACK_MS && ageMs <= TICKET_MS)) return null
      // Over the bytes: base64url writes the same ones in several ways.
      const digest = `ticket ${createHash('sha256').update(sealed).digest('base64url')}`
      const expiresAtMs = Number(issuedAt) + TICKET_MS + 2 * CLOCK_SLACK_MS
      return { parent: parent as SessionKey, spent: { digest, expiresAtMs } } // sealed by us as one
    },
  }
}

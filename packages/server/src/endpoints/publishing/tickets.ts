import type { PublisherRight, PublishTarget } from '@sekisho/contract/publishing'
import type { Seal } from '../../state/sessions/index.ts'

/** Rights of a publisher whose credentials were verified. */
export interface Ticket {
  /** Name for the trail. */
  readonly by: string
  /** Identity among publishers. */
  readonly owner: string
  readonly may: readonly PublisherRight[]
  readonly target: PublishTarget
  /** The publish token it was given for: it ends with that. Null for a job of a CI. */
  readonly token: string | null
  readonly expiresAtMs: number
}

/** Tickets valid at every gate with the same secret, and verified without any store. */
export interface PublishTickets {
  seal(ticket: Ticket): string
  /** Null for anything but a ticket that counts now. */
  read(text: string): Ticket | null
}

const FORM = /^sekisho_ticket_([A-Za-z0-9_-]{1,8000})$/
const CONTEXT = 'publish ticket'

export function createPublishTickets({
  seal,
  now,
}: {
  readonly seal: Seal
  readonly now: () => number
}): PublishTickets {
  return {
    seal(ticket) {
      const sealed = Buffer.from(seal.close(JSON.stringify(ticket), CONTEXT))
      return `sekisho_ticket_${sealed.toString('base64url')}`
    },
    read(text) {
      const [, sealed] = FORM.exec(text) ?? []
      const opened = sealed === undefined ? null : seal.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      if (opened === null) return null
      const ticket = JSON.parse(opened) as Ticket // closed by one of us
      return now() < ticket.expiresAtMs ? ticket : null
    },
  }
}

/** The credentials of a request; null when there are none in the one form they have. */
export function readBearer(headers: Pick<Headers, 'get'>): string | null {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,9000})$/.exec(headers.get('Authorization') ?? '')?.[1] ?? null
}

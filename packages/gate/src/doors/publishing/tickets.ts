import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { PublisherRight, PublishTarget } from '@sekisho/contract/publishing'

/** What somebody may do who proved to be a publisher a moment ago. */
export interface Ticket {
  /** Who it is, for the trail. */
  readonly by: string
  /** Whose it is, among publishers. */
  readonly owner: string
  readonly may: readonly PublisherRight[]
  readonly target: PublishTarget
  /** The publish token it was given for: it ends with that. Null for a job of a CI. */
  readonly token: string | null
  readonly expiresAtMs: number
}

/** Tickets that every gate with the same secret understands, and reads without asking anybody. */
export interface Tickets {
  sign(ticket: Ticket): string
  /** Null for anything but a ticket that counts now. */
  read(text: string): Ticket | null
}

const FORM = /^sekisho_ticket_([A-Za-z0-9_-]{1,8000})\.([A-Za-z0-9_-]{43})$/

export function createTickets(secret: string, now: () => number): Tickets {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho publish tickets v2', 32))
  const signatureOf = (payload: string) => createHmac('sha256', key).update(payload).digest()
  return {
    sign(ticket) {
      const payload = Buffer.from(JSON.stringify(ticket)).toString('base64url')
      return `sekisho_ticket_${payload}.${signatureOf(payload).toString('base64url')}`
    },
    read(text) {
      const [, payload = '', signature = ''] = FORM.exec(text) ?? []
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(payload)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Ticket // signed by one of us
      return now() < ticket.expiresAtMs ? ticket : null
    },
  }
}

/** The credentials of a request; null when there are none in the one form they have. */
export function readBearer(headers: Pick<Headers, 'get'>): string | null {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,9000})$/.exec(headers.get('Authorization') ?? '')?.[1] ?? null
}

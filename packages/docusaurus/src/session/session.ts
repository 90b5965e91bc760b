import type { Reader } from '@sekisho/contract/session-answer'

/** What a page knows about who reads it. The gate decides about access; this is only for display. */
export type Session =
  | { readonly status: 'loading' }
  | ({ readonly status: 'signed-in' } & Reader)
  | { readonly status: 'signed-out' }

export const signedIn = ({ email, name }: Reader): Session => ({ status: 'signed-in', email, name })

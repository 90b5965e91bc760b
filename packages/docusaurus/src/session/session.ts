/** The signed-in person, as far as the portal shows them. */
export type Reader = { readonly email: string; readonly name: string | null }

/** What a page knows about who reads it. The gate decides about access; this is only for display. */
export type Session =
  | { readonly status: 'loading' }
  | ({ readonly status: 'signed-in' } & Reader)
  | { readonly status: 'signed-out' }

/** Reads a person out of JSON that came from the gate; null unless there is an email. */
export function readReader(value: unknown): Reader | null {
  if (typeof value !== 'object' || value === null || !('email' in value)) return null
  const { email } = value
  const name = 'name' in value ? value.name : null
  if (typeof email !== 'string' || email === '') return null
  return { email, name: typeof name === 'string' && name !== '' ? name : null }
}

export const signedIn = ({ email, name }: Reader): Session => ({ status: 'signed-in', email, name })

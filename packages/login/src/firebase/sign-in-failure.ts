/** Meaning of a rejected sign-in for the reader. */
export type SignInFailure =
  /** A later click opened another popup: nothing went wrong. */
  | { readonly kind: 'cancelled' }
  /** The account itself is refused: another sign-in method will not help. */
  | { readonly kind: 'barred' }
  /** Anything else: another sign-in method may work. */
  | { readonly kind: 'failed'; readonly message: string }

const KIND_OF_CODE: Readonly<Record<string, 'cancelled' | 'barred'>> = {
  'auth/cancelled-popup-request': 'cancelled',
  'auth/user-disabled': 'barred',
}

/** Sorts whatever the SDK threw. */
export function classifySignInFailure(error: unknown): SignInFailure {
  const kind = KIND_OF_CODE[codeOf(error)]
  return kind === undefined ? { kind: 'failed', message: messageOf(error) } : { kind }
}

/** The SDK's own words: they name the code an administrator can look up. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** An account as the emulator's own record has it. */
export interface Account {
  readonly localId: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly displayName: string | null
  readonly photoUrl: string | null
  readonly disabled: boolean
  /** Google's own id of the account, null when it is not a Google account. */
  readonly googleId: string | null
  readonly lastLoginAtMs: number
}

/** Reads one entry of `users` in an answer of the emulator; null when it is not an account. */
export function readAccount(value: unknown): Account | null {
  if (!isRecord(value) || typeof value.localId !== 'string') return null
  return {
    localId: value.localId,
    email: textOrNull(value.email),
    emailVerified: value.emailVerified === true,
    displayName: textOrNull(value.displayName),
    photoUrl: textOrNull(value.photoUrl),
    disabled: value.disabled === true,
    googleId: readGoogleId(value.providerUserInfo),
    lastLoginAtMs: Number(value.lastLoginAt ?? 0) || 0,
  }
}

/** Writes an account the way the emulator's bulk upload wants it. */
export function writeAccount(account: Account): Record<string, unknown> {
  const shared = {
    ...(account.email === null ? {} : { email: account.email }),
    ...(account.displayName === null ? {} : { displayName: account.displayName }),
    ...(account.photoUrl === null ? {} : { photoUrl: account.photoUrl }),
  }
  const google = {
    providerId: 'google.com',
    rawId: account.googleId,
    federatedId: account.googleId,
    ...shared,
  }
  return {
    localId: account.localId,
    ...shared,
    emailVerified: account.emailVerified,
    disabled: account.disabled,
    lastLoginAt: String(account.lastLoginAtMs),
    providerUserInfo: account.googleId === null ? [] : [google],
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function readGoogleId(providers: unknown): string | null {
  if (!Array.isArray(providers)) return null
  const google = providers.filter(isRecord).find((provider) => provider.providerId === 'google.com')
  return textOrNull(google?.rawId)
}

/** An account that can sign in: offered by the picker or made in it. */
export interface Account {
  readonly localId: string
  /** Google's own id of the account. */
  readonly googleId: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly displayName: string | null
  readonly photoUrl: string | null
  readonly disabled: boolean
  readonly createdAtMs: number
  readonly lastLoginAtMs: number
}

/** An entry of `users` in an answer to `accounts:lookup`, which is also how accounts are kept in the file. */
export function toUserInfo(account: Account): Record<string, unknown> {
  const { localId, googleId, emailVerified } = account
  const profile = {
    ...(account.email === null ? {} : { email: account.email }),
    ...(account.displayName === null ? {} : { displayName: account.displayName }),
    ...(account.photoUrl === null ? {} : { photoUrl: account.photoUrl }),
  }
  return {
    localId,
    ...profile,
    ...(account.email === null ? {} : { emailVerified }),
    createdAt: String(account.createdAtMs),
    lastLoginAt: String(account.lastLoginAtMs),
    providerUserInfo: [{ providerId: 'google.com', rawId: googleId, federatedId: googleId, ...profile }],
  }
}

/** Reads what {@link toUserInfo} wrote and a person may have changed; null when it is no account of Google. */
export function readAccount(value: unknown): Account | null {
  if (!isRecord(value) || typeof value.localId !== 'string') return null
  const googleId = readGoogleId(value.providerUserInfo)
  if (googleId === null) return null
  return {
    localId: value.localId,
    googleId,
    email: textOrNull(value.email),
    emailVerified: value.emailVerified === true,
    displayName: textOrNull(value.displayName),
    photoUrl: textOrNull(value.photoUrl),
    disabled: value.disabled === true,
    createdAtMs: Number(value.createdAt) || 0,
    lastLoginAtMs: Number(value.lastLoginAt) || 0,
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function readGoogleId(providers: unknown): string | null {
  if (!Array.isArray(providers)) return null
  const google = providers.filter(isRecord).find((provider) => provider.providerId === 'google.com')
  return textOrNull(google?.rawId)
}

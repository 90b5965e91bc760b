import { randomBytes } from 'node:crypto'
import type { Account } from './account.ts'
import type { AccountFile } from './account-file.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import type { GoogleProfile } from './google-assertion.ts'

/** Result of a sign-in. */
type SignIn =
  | {
      readonly kind: 'signed_in'
      readonly account: Account
      readonly isNew: boolean
      readonly relinked: boolean
    }
  /** Another account has this address, and Google does not vouch that it belongs to this one too. */
  | { readonly kind: 'needs_confirmation'; readonly account: Account }
  | { readonly kind: 'disabled' }

/** All accounts that can sign in. */
export interface Accounts {
  list(): Promise<readonly Account[]>
  find(localId: string): Promise<Account | null>
  /** Finds the account of a Google profile, by Google's id and then by address, or makes one. */
  signIn(profile: GoogleProfile): Promise<SignIn>
}

export function createAccounts(file: AccountFile, now: () => number): Accounts {
  let accounts = DEMO_ACCOUNTS
  let last: Promise<unknown> = Promise.resolve()

  /** One after another: a change must not be lost between reading the file and writing it. */
  function inTurn<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    const result = last.then(async () => {
      const changed = await file.readChanges()
      if (changed !== null) accounts = changed.length > 0 ? changed : DEMO_ACCOUNTS
      return task()
    })
    last = result.catch(() => {})
    return result
  }

  async function keep(account: Account): Promise<void> {
    const isKnown = accounts.some(({ localId }) => localId === account.localId)
    accounts = isKnown
      ? accounts.map((other) => (other.localId === account.localId ? account : other))
      : [...accounts, account]
    await file.write(accounts)
  }

  return {
    list: () => inTurn(() => accounts),
    find: (id) => inTurn(() => accounts.find(({ localId }) => localId === id) ?? null),
    signIn: (profile) =>
      inTurn(async () => {
        const result = decide(accounts, profile, now())
        if (result.kind === 'signed_in') await keep(result.account)
        return result
      }),
  }
}

/** One account for each address, as Firebase has it unless told otherwise. */
function decide(accounts: readonly Account[], profile: GoogleProfile, nowMs: number): SignIn {
  const known = accounts.find(({ googleId }) => googleId === profile.googleId)
  if (known !== undefined) return admit({ ...known, lastLoginAtMs: nowMs })
  const sameEmail = profile.email === null ? undefined : accounts.find(({ email }) => email === profile.email)
  if (sameEmail === undefined) {
    const account = {
      ...profile,
      localId: newLocalId(),
      disabled: false,
      createdAtMs: nowMs,
      lastLoginAtMs: nowMs,
    }
    return { kind: 'signed_in', account, isNew: true, relinked: false }
  }
  if (!profile.emailVerified) return { kind: 'needs_confirmation', account: sameEmail }
  return admit({ ...sameEmail, ...profile, lastLoginAtMs: nowMs }, true)
}

function admit(account: Account, relinked = false): SignIn {
  return account.disabled ? { kind: 'disabled' } : { kind: 'signed_in', account, isNew: false, relinked }
}

/** 28 characters, as Firebase makes them. */
function newLocalId(): string {
  return randomBytes(21).toString('base64url')
}

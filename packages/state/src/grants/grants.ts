import { randomBytes } from 'node:crypto'
import type {
  Grant,
  GrantKind,
  GrantRow,
  GrantStore,
  GrantTokenRow,
  GrantUse,
} from '../sessions/rows/grant-store.ts'
import type { Seal } from '../sessions/rows/seal.ts'
import type { Account } from '../sessions/rows/session.ts'
import {
  ACCESS_PREFIX,
  digestOfToken,
  firstRefreshState,
  grantOfRefreshToken,
  isGenuineGrant,
  isGenuineToken,
  newRefreshToken,
  newToken,
  nextRefreshState,
  PERSONAL_PREFIX,
  sealGrant,
  sealToken,
} from './grant-tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** An access token lives so long, and then the client refreshes it. */
export const ACCESS_MS = 15 * MINUTE_MS
/** A grant lives so long; then its reader is asked again. */
export const GRANT_MS = 30 * DAY_MS
/** A code is exchanged at once, by a program. */
export const CODE_MS = MINUTE_MS
/** Personal tokens live no longer. */
export const MAX_PERSONAL_MS = 365 * DAY_MS
/** A client that registered itself is forgotten when unused this long and without a grant: it outlives its grants, or a refresh could not say why it fails. */
const CLIENT_MS = 90 * DAY_MS
/** So many clients without a grant that registered themselves are kept; then those go that were unused longest. */
const MAX_CLIENTS = 1_000
/** A reader has a few clients on a few machines; more grants than this end those unused longest. */
const MAX_GRANTS = 50
const MAX_PERSONAL = 20
/** Gates that refresh the same grant at the same moment take turns: each attempt that fails is another's success. */
const MAX_ATTEMPTS = 20

/** What a reader consented to. */
export interface Consent {
  /** Key of the standing sign-in. */
  readonly session: string
  readonly account: Account
  readonly client: string
  readonly name: string
  /** What the code is bound to, as a text that `redeem` has judged. */
  readonly binding: string
}

export interface PersonalTokenRequest extends Pick<Consent, 'session' | 'account' | 'name'> {
  readonly edition: string | null
  readonly expiresAtMs: number
}

/** What came of a code or a refresh token. `reused` and `mismatch` ended the grant. */
export type Redeemed =
  | {
      readonly kind: 'issued'
      readonly grant: Grant
      readonly access: string
      readonly refresh: string
      readonly expiresInS: number
    }
  | { readonly kind: 'unknown' }
  /** Too many refreshed it at once; nothing of it changed. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'mismatch' | 'reused'; readonly grant: Grant }

/** What agents may do in readers' names, and by which tokens. */
export interface Grants {
  /** Adds what a reader consented to; the code counts once and for a minute. Null when the sign-in is over. */
  begin(consent: Consent): Promise<{ readonly grant: Grant; readonly code: string } | null>
  /** Exchanges a code that `isBound` finds to be this client's, for this request; a code that is not is of no more use to anybody. */
  redeem(code: string, isBound: (grant: Grant, binding: string) => boolean): Promise<Redeemed>
  /** Exchanges a refresh token; one whose reuse window is over ends the grant. */
  refresh(token: string, client: string): Promise<Redeemed>
  /** The living grant of an access token or a personal token. Whether its account may still read is the caller's to ask. */
  find(token: string): Promise<Grant | null>
  /** Adds a token of a reader's own; null when the sign-in is over, or there are too many. */
  makePersonal(
    request: PersonalTokenRequest,
  ): Promise<{ readonly grant: Grant; readonly token: string } | null>
  /** Ends the grant of a token, whichever it is; null when there is none of that client. */
  revoke(token: string, client: string): Promise<Grant | null>
  /** Living grants of an account, in the order in which they were made. */
  ofAccount(account: Account): Promise<readonly Grant[]>
  /** Ends one grant of an account; null when it has none of that id. */
  end(account: Account, id: string): Promise<Grant | null>
  /** Counts a call; written by the next `synchronise`. */
  noteUse(grant: Grant): void
  synchronise(): Promise<void>
  /** Removes what is over. */
  tidy(): Promise<void>
  readonly clients: RegisteredClients
}

/** Clients that registered themselves. */
export interface RegisteredClients {
  register(client: { readonly name: string; readonly redirects: readonly string[] }): Promise<string>
  /** Finding one counts as use. */
  find(
    id: string,
  ): Promise<{ readonly id: string; readonly name: string; readonly redirects: readonly string[] } | null>
}

export interface GrantsOptions {
  readonly store: GrantStore
  readonly seal: Seal
  readonly now: () => number
}

const newId = () => randomBytes(9).toString('base64url')

export function createGrants({ store, seal, now }: GrantsOptions): Grants {
  const uses = new Map<string, GrantUse>()

  function makeGrant(
    kind: GrantKind,
    changes: Pick<GrantRow, 'session' | 'client' | 'name' | 'edition' | 'expiresAtMs'>,
  ) {
    const counts = { usedAtMs: null, calls: 0, refresh: '' }
    return sealGrant(seal, { id: newId(), kind, ...changes, createdAtMs: now(), ...counts })
  }
  function makeToken(
    token: string,
    grant: GrantRow,
    use: GrantTokenRow['use'],
    expiresAtMs: number,
    detail = '',
  ) {
    return sealToken(seal, { digest: digestOfToken(token), grant: grant.id, use, detail, expiresAtMs })
  }
  const isAlive = (grant: GrantRow) => now() < grant.expiresAtMs && isGenuineGrant(seal, grant)

  /** A living grant by one of its tokens that lives, too. */
  async function findBy(token: string, use: GrantTokenRow['use']) {
    const found = await store.findToken(digestOfToken(token))
    if (found === null || found.token.use !== use || now() >= found.token.expiresAtMs) return null
    return isGenuineToken(seal, found.token) && isAlive(found.grant) ? found : null
  }
  async function findByRefreshToken(token: string): Promise<GrantRow | null> {
    const id = grantOfRefreshToken(seal, token)
    const grant = id === null ? null : await store.find(id)
    return grant !== null && isAlive(grant) ? grant : null
  }
  /** Null when another refresh token was taken meanwhile. */
  async function issue(grant: GrantRow, refresh: string, after: string): Promise<Redeemed | null> {
    const access = newToken(ACCESS_PREFIX)
    const expiresAtMs = Math.min(now() + ACCESS_MS, grant.expiresAtMs)
    const row = makeToken(access, grant, 'access', expiresAtMs)
    if (!(await store.rotate(grant.id, grant.refresh, after, row))) return null
    return { kind: 'issued', grant, access, refresh, expiresInS: Math.floor((expiresAtMs - now()) / 1_000) }
  }
  async function endAs(kind: 'mismatch' | 'reused', grant: GrantRow): Promise<Redeemed> {
    await store.remove([grant.id])
    return { kind, grant }
  }
  async function ofAccount(account: Account): Promise<readonly GrantRow[]> {
    return (await store.ofAccount(account)).filter(isAlive)
  }

  return {
    async begin({ session, account, client, name, binding }) {
      const grant = makeGrant('grant', {
        session,
        client,
        name,
        edition: null,
        expiresAtMs: now() + GRANT_MS,
      })
      const code = newToken('')
      const row = makeToken(code, grant, 'code', now() + CODE_MS, binding)
      if (!(await store.insert(grant, row))) return null
      const others = (await ofAccount(account)).filter(({ kind }) => kind === 'grant')
      const byUse = others.sort((a, b) => (b.usedAtMs ?? b.createdAtMs) - (a.usedAtMs ?? a.createdAtMs))
      const surplus = byUse.slice(MAX_GRANTS).map(({ id }) => id)
      if (surplus.length > 0) await store.remove(surplus)
      return { grant, code }
    },
    async redeem(code, isBound) {
      const found = await findBy(code, 'code')
      if (found === null) return { kind: 'unknown' }
      const { grant, token } = found
      if (grant.refresh !== '') return endAs('reused', grant)
      if (!isBound(grant, token.detail)) return endAs('mismatch', grant)
      const refresh = newRefreshToken(seal, grant.id)
      return (await issue(grant, refresh, firstRefreshState(refresh))) ?? endAs('reused', grant)
    },
    async refresh(token, client) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const grant = await findByRefreshToken(token)
        if (grant === null || grant.client !== client) return { kind: 'unknown' }
        const refresh = newRefreshToken(seal, grant.id)
        const after = nextRefreshState(grant.refresh, token, refresh, now())
        if (after === null) return endAs('reused', grant)
        const issued = await issue(grant, refresh, after)
        if (issued !== null) return issued
      }
      return { kind: 'busy' }
    },
    async find(token) {
      const use = token.startsWith(PERSONAL_PREFIX) ? 'personal' : 'access'
      return (await findBy(token, use))?.grant ?? null
    },
    async makePersonal({ session, account, name, edition, expiresAtMs }) {
      const known = (await ofAccount(account)).filter(({ kind }) => kind === 'personal')
      if (known.length >= MAX_PERSONAL) return null
      const endsAtMs = Math.min(expiresAtMs, now() + MAX_PERSONAL_MS)
      const grant = makeGrant('personal', { session, client: '', name, edition, expiresAtMs: endsAtMs })
      const token = newToken(PERSONAL_PREFIX)
      const row = makeToken(token, grant, 'personal', endsAtMs)
      return (await store.insert(grant, row)) ? { grant, token } : null
    },
    async revoke(token, client) {
      const grant = (await findByRefreshToken(token)) ?? (await findBy(token, 'access'))?.grant ?? null
      if (grant === null || grant.client !== client) return null
      await store.remove([grant.id])
      return grant
    },
    ofAccount,
    async end(account, id) {
      const grant = (await ofAccount(account)).find((one) => one.id === id) ?? null
      if (grant !== null) await store.remove([id])
      return grant
    },
    noteUse({ id }) {
      uses.set(id, { id, calls: (uses.get(id)?.calls ?? 0) + 1, usedAtMs: now() })
    },
    async synchronise() {
      const noted = [...uses.values()]
      if (noted.length === 0) return
      await store.markUsed(noted)
      for (const { id, calls, usedAtMs } of noted) {
        const rest = (uses.get(id)?.calls ?? 0) - calls
        if (rest > 0) uses.set(id, { id, calls: rest, usedAtMs: uses.get(id)?.usedAtMs ?? usedAtMs })
        else uses.delete(id)
      }
    },
    async tidy() {
      await store.removeExpired(now(), now() - CODE_MS)
      await store.forgetClients(now() - CLIENT_MS)
    },
    clients: {
      async register(client) {
        const id = newId()
        await store.register({ id, ...client }, now(), MAX_CLIENTS)
        return id
      },
      async find(id) {
        const client = await store.findClient(id)
        if (client !== null) await store.markClientUsed(id, now())
        return client
      },
    },
  }
}

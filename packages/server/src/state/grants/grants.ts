import { hash, randomBytes } from 'node:crypto'
import { createRecent } from '../sessions/held/recent.ts'
import type {
  Grant,
  GrantKind,
  GrantRow,
  GrantStore,
  GrantTokenRow,
  GrantUse,
  RegisteredClient,
} from '../sessions/rows/grant-store.ts'
import type { Seal } from '../sessions/rows/seal.ts'
import type { Account } from '../sessions/rows/session.ts'
import {
  ACCESS_PREFIX,
  digestOfToken,
  firstRefreshState,
  grantOfToken,
  isGenuineGrant,
  isGenuineToken,
  newNamingToken,
  newToken,
  nextRefreshState,
  PERSONAL_PREFIX,
  type RefreshState,
  readRefreshState,
  sealGrant,
  sealToken,
  writeRefreshState,
} from './grant-tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** An access token lives so long, and then the client refreshes it. */
export const ACCESS_MS = 15 * MINUTE_MS
/** A grant lives so long; then its reader is asked again. */
export const GRANT_MS = 30 * DAY_MS
/** A grant that no request used for so long ends. */
const UNUSED_MS = 14 * DAY_MS
/** A grant used since then is in use: no new one ends it. */
const IN_USE_MS = DAY_MS
/** A code is exchanged at once, by a program. */
const CODE_MS = MINUTE_MS
/** Personal tokens live no longer. */
export const MAX_PERSONAL_MS = 365 * DAY_MS
/** A client that registered itself is forgotten when unused this long and without a grant: it outlives its grants, or a refresh could not say why it fails. */
const CLIENT_MS = 90 * DAY_MS
/** So many clients without a grant that registered themselves are kept; then those go that were unused longest. */
const MAX_CLIENTS = 1_000
/** A reader has a few clients on a few machines; more grants than this end those unused longest, and with all of them in use there is no other. */
const MAX_GRANTS = 50
const MAX_PERSONAL = 20
/** So many ended grants are known at a gate. */
const MAX_OVER = 100_000
/** Gates that refresh the same grant at the same moment take turns: each attempt that fails is another's success. */
const MAX_ATTEMPTS = 20

/** A reader's consent. */
export interface Consent {
  /** Key of the offline session. */
  readonly session: string
  readonly account: Account
  readonly client: string
  readonly name: string
  /** Binding of the code, as a text that `redeem` has judged. */
  readonly binding: string
}

export interface PersonalTokenRequest extends Pick<Consent, 'session' | 'account' | 'name'> {
  readonly edition: string | null
  readonly expiresAtMs: number
}

/** Result of a code or a refresh token. `reused` and `mismatch` ended the grant. */
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

/** Rights of agents in readers' names, and their tokens. */
export interface Grants {
  /** Adds what a reader consented to; the code counts once and for a minute. Null when the sign-in is over, and without room. */
  begin(consent: Consent): Promise<{ readonly grant: Grant; readonly code: string } | null>
  /** Tells if another grant ends none in use: false while the account has `MAX_GRANTS` of these. */
  hasRoom(account: Account): Promise<boolean>
  /** Exchanges a code that `isBound` finds to be this client's, for this request; any other code is used up. */
  redeem(code: string, isBound: (grant: Grant, binding: string) => boolean): Promise<Redeemed>
  /** Exchanges a refresh token; one whose reuse window is over ends the grant. */
  refresh(token: string, client: string): Promise<Redeemed>
  /** The id of the grant that a code or refresh token was issued for, whether or not either still counts; null for what no gate issued. */
  issuedFor(kind: 'code' | 'refresh', token: string): string | null
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
  /** Adds a client; identical ones share one entry and thus one id. */
  register(client: ClientMetadata): Promise<string>
  /** The id of a client with this name and these addresses; null when none registered. Finding one counts as use. */
  findAlike(client: ClientMetadata): Promise<string | null>
  /** Finding one counts as use. */
  find(id: string): Promise<(ClientMetadata & { readonly id: string }) | null>
}

type ClientMetadata = Pick<RegisteredClient, 'name' | 'redirects'>

interface GrantsOptions {
  readonly store: GrantStore
  readonly seal: Seal
  readonly now: () => number
}

/** Uses of a client are written this far apart. */
const MARK_MS = 3_600_000

const CLIENT_ID_CHARS = 24

/** A digest of all that registered clients differ in. */
function clientIdOf({ name, redirects }: ClientMetadata): string {
  const digest = hash('sha256', JSON.stringify([name, ...new Set(redirects.toSorted())]), 'base64url')
  return digest.slice(0, CLIENT_ID_CHARS)
}

const newId = () => randomBytes(9).toString('base64url')

export function createGrants({ store, seal, now }: GrantsOptions): Grants {
  const uses = new Map<string, GrantUse>()
  const marked = new Map<string, number>()
  /** Grants that this gate ended: whatever the store holds later, they are over. */
  const over = createRecent<string, true>(MAX_OVER, MAX_PERSONAL_MS)

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
  /** Uses that are not written yet count, too. */
  const usedAtMs = ({ id, usedAtMs, createdAtMs }: GrantRow) =>
    Math.max(createdAtMs, usedAtMs ?? 0, uses.get(id)?.usedAtMs ?? 0)
  const isAlive = (grant: GrantRow) =>
    !over.has(grant.id) &&
    now() < grant.expiresAtMs &&
    (grant.kind === 'personal' || now() < usedAtMs(grant) + UNUSED_MS) &&
    isGenuineGrant(seal, grant)
  function addUse({ id }: Grant, calls: number): void {
    uses.set(id, { id, calls: (uses.get(id)?.calls ?? 0) + calls, usedAtMs: now() })
  }

  async function remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) over.set(id, true)
    await store.remove(ids)
  }

  /** A living grant by one of its tokens that lives, too. */
  async function findBy(token: string, use: GrantTokenRow['use']) {
    const found = await store.findToken(digestOfToken(token))
    if (found === null || found.token.use !== use || now() >= found.token.expiresAtMs) return null
    return isGenuineToken(seal, found.token) && isAlive(found.grant) ? found : null
  }
  async function findByRefreshToken(token: string): Promise<GrantRow | null> {
    const id = grantOfToken('refresh', seal, token)
    const grant = id === null ? null : await store.find(id)
    return grant !== null && isAlive(grant) ? grant : null
  }
  /** Null when another refresh token was taken meanwhile. */
  async function issue(grant: GrantRow, refresh: string, state: RefreshState): Promise<Redeemed | null> {
    const after = writeRefreshState(seal, grant.id, state, now())
    const access = newToken(ACCESS_PREFIX)
    const expiresAtMs = Math.min(now() + ACCESS_MS, grant.expiresAtMs)
    const row = makeToken(access, grant, 'access', expiresAtMs)
    if (!(await store.rotate(grant.id, grant.refresh, after, row))) return null
    return { kind: 'issued', grant, access, refresh, expiresInS: Math.floor((expiresAtMs - now()) / 1_000) }
  }
  async function endAs(kind: 'mismatch' | 'reused', grant: GrantRow): Promise<Redeemed> {
    await remove([grant.id])
    return { kind, grant }
  }
  const isInUse = (grant: GrantRow) => now() < usedAtMs(grant) + IN_USE_MS
  /** Grants that another one takes the place of. */
  async function findSurplus(account: Account): Promise<readonly GrantRow[]> {
    const own = (await ofAccount(account)).filter(({ kind }) => kind === 'grant')
    const byUse = own.sort((one, other) => usedAtMs(one) - usedAtMs(other))
    return byUse.slice(0, Math.max(0, own.length + 1 - MAX_GRANTS))
  }
  async function findClient(id: string): Promise<RegisteredClient | null> {
    const client = await store.findClient(id)
    // Ids of earlier versions, which are shorter, were random.
    if (client === null || (id.length >= CLIENT_ID_CHARS && clientIdOf(client) !== id)) return null
    if (now() < (marked.get(id) ?? Number.NEGATIVE_INFINITY) + MARK_MS) return client
    if (marked.size >= MAX_CLIENTS) marked.clear()
    marked.set(id, now())
    await store.markClientUsed(id, now())
    return client
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
      const code = newNamingToken('code', seal, grant.id)
      const row = makeToken(code, grant, 'code', now() + CODE_MS, binding)
      const surplus = await findSurplus(account)
      if (surplus.some(isInUse)) return null
      if (!(await store.insert(grant, row))) return null
      if (surplus.length > 0) await remove(surplus.map(({ id }) => id))
      return { grant, code }
    },
    hasRoom: async (account) => !(await findSurplus(account)).some(isInUse),
    async redeem(code, isBound) {
      const found = await findBy(code, 'code')
      if (found === null) return { kind: 'unknown' }
      const { grant, token } = found
      if (grant.refresh !== '') return endAs('reused', grant)
      if (!isBound(grant, token.detail)) return endAs('mismatch', grant)
      const refresh = newNamingToken('refresh', seal, grant.id)
      return (await issue(grant, refresh, firstRefreshState(refresh))) ?? endAs('reused', grant)
    },
    async refresh(token, client) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const grant = await findByRefreshToken(token)
        if (grant === null || grant.client !== client) return { kind: 'unknown' }
        // Last uses stand in the row unsealed: a state as old as a grant that ended for want of use counts no more.
        const state = readRefreshState(seal, grant, now() - UNUSED_MS - ACCESS_MS)
        if (state === null) return { kind: 'unknown' }
        const refresh = newNamingToken('refresh', seal, grant.id)
        const after = nextRefreshState(state, token, refresh, now())
        if (after === null) return endAs('reused', grant)
        const issued = await issue(grant, refresh, after)
        if (issued === null) continue
        addUse(grant, 0)
        return issued
      }
      return { kind: 'busy' }
    },
    issuedFor: (kind, token) => grantOfToken(kind, seal, token),
    async find(token) {
      const use = token.startsWith(PERSONAL_PREFIX) ? 'personal' : 'access'
      const isOurs = use === 'personal' || token.startsWith(ACCESS_PREFIX) // the store is not asked about junk
      return isOurs ? ((await findBy(token, use))?.grant ?? null) : null
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
      await remove([grant.id])
      return grant
    },
    ofAccount,
    async end(account, id) {
      const grant = (await ofAccount(account)).find((one) => one.id === id) ?? null
      if (grant !== null) await remove([id])
      return grant
    },
    noteUse: (grant) => addUse(grant, 1),
    async synchronise() {
      const noted = [...uses.values()]
      if (noted.length === 0) return
      await store.markUsed(noted)
      for (const { id, calls, usedAtMs } of noted) {
        const rest = (uses.get(id)?.calls ?? 0) - calls
        if (rest > 0 || (uses.get(id)?.usedAtMs ?? 0) > usedAtMs)
          uses.set(id, { id, calls: rest, usedAtMs: uses.get(id)?.usedAtMs ?? usedAtMs })
        else uses.delete(id)
      }
    },
    async tidy() {
      await store.removeExpired(now(), now() - CODE_MS, now() - UNUSED_MS)
      await store.forgetClients(now() - CLIENT_MS)
    },
    clients: {
      async register(client) {
        const id = clientIdOf(client)
        await store.register({ id, ...client }, now(), MAX_CLIENTS)
        return id
      },
      findAlike: async (client) => (await findClient(clientIdOf(client)))?.id ?? null,
      find: findClient,
    },
  }
}

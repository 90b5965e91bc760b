import type { Account } from './session.ts'

/** `grant`: what a reader let a client do, by OAuth. `personal`: a token that a reader made for scripts of their own. */
export type GrantKind = 'grant' | 'personal'

/** An agent's right to read in a reader's name. It belongs to an offline session, which revalidates its account, and ends with it. */
export interface Grant {
  /** Public name, for lists and logs. */
  readonly id: string
  /** Key of the offline session. */
  readonly session: string
  readonly kind: GrantKind
  /** The client's id; empty for a personal token. */
  readonly client: string
  /** Name given by the client, or by the reader for a token. */
  readonly name: string
  /** No more than this edition; null for the reader's own. */
  readonly edition: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly usedAtMs: number | null
  readonly calls: number
}

/** A grant as stored. */
export interface GrantRow extends Grant {
  /** Valid refresh tokens; empty until the code was exchanged. Compared and set as a whole. */
  readonly refresh: string
  /** Made by a gate over all of it that never changes. */
  readonly seal: Uint8Array
}

/** A token as stored: reached through its digest. */
export interface GrantTokenRow {
  /** base64url SHA-256. */
  readonly digest: string
  readonly grant: string
  readonly use: 'code' | 'access' | 'personal'
  /** Binding of a code, as JSON; else empty. */
  readonly detail: string
  readonly expiresAtMs: number
  readonly seal: Uint8Array
}

/** A client that registered itself. */
export interface RegisteredClient {
  readonly id: string
  readonly name: string
  readonly redirects: readonly string[]
}

/** A grant in a list, with whose it is. */
export interface OwnedGrant extends Grant {
  readonly email: string
}

/** Rows with what a gate sealed over each. */
export interface SealedGrants {
  readonly grants: readonly GrantRow[]
  readonly tokens: readonly GrantTokenRow[]
}

/** Calls of a grant that are not written yet. */
export interface GrantUse {
  readonly id: string
  readonly calls: number
  readonly usedAtMs: number
}

/** Grants of agents, their tokens, and clients that registered themselves. Every method fails when the store cannot be asked. */
export interface GrantStore {
  /** One transaction: adds a grant with its first token; false when the sign-in it hangs on is over. */
  insert(grant: GrantRow, token: GrantTokenRow): Promise<boolean>
  findToken(digest: string): Promise<{ readonly grant: GrantRow; readonly token: GrantTokenRow } | null>
  find(id: string): Promise<GrantRow | null>
  /** One transaction: replaces the valid refresh tokens unless they changed since, and adds an access token. */
  rotate(id: string, before: string, after: string, access: GrantTokenRow): Promise<boolean>
  ofAccount(account: Account): Promise<readonly GrantRow[]>
  /** Removes grants with their tokens; returns those that were there. */
  remove(ids: readonly string[]): Promise<readonly OwnedGrant[]>
  /** Adds calls, and never sets a last use back. */
  markUsed(uses: readonly GrantUse[]): Promise<void>
  /** Removes tokens that are over, grants that are, those made before `unredeemedMs` whose code was not exchanged, and clients' grants unused since `unusedMs`. */
  removeExpired(atMs: number, unredeemedMs: number, unusedMs: number): Promise<void>
  /** For operators: the page behind that id, in the order of ids; at most `MAX_ROWS`. */
  list(afterId?: string): Promise<readonly OwnedGrant[]>
  /** The same page for a gate whose secret is replaced, with the tokens of its grants. */
  listSealed(afterId?: string): Promise<SealedGrants>
  /** Sets the seals of those that are there still, and nothing else of them. */
  setSeals(sealed: SealedGrants): Promise<void>
  /** Adds a client unless its id is known; of more than `max` that have no grant those go that were unused longest. */
  register(client: RegisteredClient, atMs: number, max: number): Promise<void>
  findClient(id: string): Promise<RegisteredClient | null>
  markClientUsed(id: string, atMs: number): Promise<void>
  /** Removes clients that were not used since then and have no grant. */
  forgetClients(unusedSinceMs: number): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

/** Reads a grant from its row; both schemas name the columns alike. */
export function readGrantRow(row: Row): GrantRow {
  return {
    id: String(row.id),
    session: String(row.session),
    kind: row.kind === 'personal' ? 'personal' : 'grant',
    client: String(row.client),
    name: String(row.name),
    edition: row.edition === null ? null : String(row.edition),
    createdAtMs: Number(row.created_at),
    expiresAtMs: Number(row.expires_at),
    usedAtMs: row.used_at === null ? null : Number(row.used_at),
    calls: Number(row.calls),
    refresh: String(row.refresh),
    seal: bytesOf(row.seal),
  }
}

/** The same of a list, where what only a gate needs is left out. */
export function readOwnedGrant(row: Row): OwnedGrant {
  const { refresh, seal, ...grant } = readGrantRow(row)
  return { ...grant, email: String(row.email) }
}

export function readTokenRow(row: Row): GrantTokenRow {
  const use = String(row.use)
  return {
    digest: String(row.digest),
    grant: String(row.grant_id),
    use: use === 'code' || use === 'personal' ? use : 'access',
    detail: String(row.detail),
    expiresAtMs: Number(row.expires_at),
    seal: bytesOf(row.seal),
  }
}

export function readClientRow(row: Row): RegisteredClient {
  const redirects: unknown = JSON.parse(String(row.redirects))
  const isList = Array.isArray(redirects) && redirects.every((one) => typeof one === 'string')
  return { id: String(row.id), name: String(row.name), redirects: isList ? redirects : [] }
}

/** Columns of a grant in both schemas. */
export const GRANT_COLUMNS =
  'id, session, kind, client, name, edition, created_at, expires_at, used_at, calls, refresh, seal'

/** Values of a grant in the order of {@link GRANT_COLUMNS}. */
export const grantValues = (one: GrantRow) => [
  ...[one.id, one.session, one.kind, one.client, one.name, one.edition],
  ...[one.createdAtMs, one.expiresAtMs, one.usedAtMs, one.calls, one.refresh, one.seal],
]

/** Columns of a grant's token in both schemas. */
export const TOKEN_COLUMNS = 'digest, grant_id, use, detail, expires_at, seal'

/** Values of a token in the order of {@link TOKEN_COLUMNS}. */
export const tokenValues = ({ digest, grant, use, detail, expiresAtMs, seal }: GrantTokenRow) => [
  digest,
  grant,
  use,
  detail,
  expiresAtMs,
  seal,
]

const bytesOf = (value: unknown) => new Uint8Array(value instanceof Uint8Array ? value : [])

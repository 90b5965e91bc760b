import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import type { RegisteredClients } from '../../state/grants/index.ts'
import { type FetchDocument, readClientDocument, readDocumentUrl } from './client-documents.ts'
import { type ClientRules, REGISTERED } from './client-rules.ts'
import { KNOWN_CLIENTS, KNOWN_HOSTS } from './known-clients.ts'

/** A client that asks for a reader's consent. */
export interface Client {
  readonly id: string
  /** Self-declared name; empty without one. */
  readonly name: string
  readonly redirects: readonly string[]
  /** Source of the name: the host of the id, the operator, or none. */
  readonly vouchedBy: { readonly host: string } | 'operator' | null
}

/** Tells if clients may register themselves. */
export function mayRegister({ allowed }: ClientRules): boolean {
  return allowed === null || allowed.has(REGISTERED)
}

interface ClientsOptions {
  readonly rules: ClientRules
  readonly registered: Pick<RegisteredClients, 'find'>
  readonly fetchDocument: FetchDocument
  readonly now: () => number
}

/** Tells if the operator permits the client of a document. */
function isAllowed({ allowed }: ClientRules, id: URL): boolean {
  const ids = allowed ?? KNOWN_HOSTS
  return ids.has(id.href) || ids.has(id.host)
}

/** Tells if a client of this id may get tokens. Fetches nothing, so anonymous requests may cause it. */
export function createIsKnown({ rules, registered }: Pick<ClientsOptions, 'rules' | 'registered'>) {
  return async (id: string): Promise<boolean> => {
    const url = readDocumentUrl(id)
    if (rules.own.has(id)) return true
    if (url !== null) return isAllowed(rules, url)
    return mayRegister(rules) && (await registered.find(id)) !== null
  }
}

/** Tells if the operator or this package supplies a client's redirect addresses: no other client directs a browser by its own word. */
export function isVouchedFor({ id, vouchedBy }: Client): boolean {
  return vouchedBy === 'operator' || KNOWN_CLIENTS.has(id)
}

/** So many documents are kept while they say so. */
const MAX_DOCUMENTS = 100
/** Documents on their way together, and of one reader. */
const MAX_FETCHES = 2

/**
 * Finds clients by their ids, for a reader by issuer and subject; null for unknown and forbidden ones. May fetch, so it is for signed-in
 * readers alone.
 */
export function createFindClient({ rules, registered, fetchDocument, now }: ClientsOptions) {
  const kept = new Map<string, { readonly client: Client; readonly untilMs: number }>()
  const fetching = createFairSemaphore(MAX_FETCHES)
  const fetchingReaders = new Set<string>()

  /** Null at once for a reader whose last document is still on its way. */
  async function fetchInTurn(url: URL, reader: string): ReturnType<FetchDocument> {
    if (fetchingReaders.has(reader)) return null
    fetchingReaders.add(reader)
    try {
      return await fetching(reader, () => fetchDocument(url))
    } finally {
      fetchingReaders.delete(reader)
    }
  }

  async function fetchClient(url: URL, reader: string): Promise<Client | null> {
    const id = url.href
    const known = kept.get(id)
    if (known !== undefined && now() < known.untilMs) return known.client
    kept.delete(id)
    const found = await fetchInTurn(url, reader)
    const document = found === null ? null : readClientDocument(id, found.text)
    if (found === null || document === null) return null
    const client = { id, ...document, vouchedBy: { host: url.host } }
    if (found.maxAgeMs > 0) kept.set(id, { client, untilMs: now() + found.maxAgeMs })
    if (kept.size > MAX_DOCUMENTS) kept.delete(kept.keys().next().value ?? '')
    return client
  }

  return async (id: string, reader: string): Promise<Client | null> => {
    const own = rules.own.get(id)
    if (own !== undefined) return { id, name: id, redirects: own, vouchedBy: 'operator' }
    const url = readDocumentUrl(id)
    if (url === null) {
      const client = mayRegister(rules) ? await registered.find(id) : null
      return client === null ? null : { ...client, vouchedBy: null }
    }
    if (!isAllowed(rules, url)) return null
    const known = KNOWN_CLIENTS.get(id)
    return known === undefined ? fetchClient(url, reader) : { id, ...known, vouchedBy: { host: url.host } }
  }
}

/** Clients that may ask for consent. */
export interface ClientRules {
  /** Redirect addresses of clients with ids of the operator's own, by id. */
  readonly own: ReadonlyMap<string, readonly string[]>
  /** Ids of documents, hosts of such ids, and `registered`; null for clients that register and the hosts of known clients. */
  readonly allowed: ReadonlySet<string> | null
}

/** Entry of the allow list that stands for self-registered clients. */
export const REGISTERED = 'registered'

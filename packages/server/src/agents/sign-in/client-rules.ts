/** Who may ask readers to let them read. */
export interface ClientRules {
  /** Where answers go to clients with ids of the operator's own, by id. */
  readonly own: ReadonlyMap<string, readonly string[]>
  /** Ids of documents, hosts of such ids, and `registered`; null for clients that register and the hosts of known clients. */
  readonly allowed: ReadonlySet<string> | null
}

/** In the list of who may ask: whoever registered itself. */
export const REGISTERED = 'registered'

import { DEFAULT_EDITION, type Edition, type Manifest } from '@sekisho/release'
import type { AuditTrail } from '../audit/index.ts'

type Named = Pick<Edition, 'name' | 'audiences'>

/** Editions that a request names. */
interface NamedEditions {
  /** The one that the reader asks to view the portal as, and may; null for none. */
  readonly viewingAs: string | null
  /** The one that the token of the request is limited to; null for a credential without limit. */
  readonly limit: string | null
}

const UNNAMED: NamedEditions = { viewingAs: null, limit: null }

/**
 * Chooses the first edition all of whose audiences are groups of the reader, unless they view the portal as another one of these. A limit
 * gives that edition or one with fewer audiences, and none once no edition has that name.
 */
export function chooseEdition<E extends Named>(
  editions: readonly E[],
  groups: ReadonlySet<string>,
  named = UNNAMED,
): E | null {
  const limit = editions.find(({ name }) => name === named.limit)
  if (named.limit !== null && limit === undefined) return null
  const [first] = editions
  if (editions.length === 1 && first?.audiences.length === 0) return first // a site without audiences
  const isWithin = ({ audiences }: E) =>
    limit === undefined || audiences.every((audience) => limit.audiences.includes(audience))
  const own = admittingEditions(editions, groups).filter(isWithin)
  return own.find(({ name }) => name === named.viewingAs) ?? own[0] ?? null
}

/** The editions that a member of these groups may read, in their order. */
export function admittingEditions<E extends Named>(
  editions: readonly E[],
  groups: ReadonlySet<string>,
): readonly E[] {
  return editions.filter(({ audiences }) => audiences.every((audience) => groups.has(audience)))
}

/** Records which editions are served, in their order and as `NAME AUDIENCE…`, whenever that changes; nothing of a site that has none. */
export function createEditionRecorder(audit: Pick<AuditTrail, 'record'>) {
  let recorded = DEFAULT_EDITION
  return ({ id, editions }: Pick<Manifest, 'id' | 'editions'>): void => {
    const lines = editions.map(({ name, audiences }) => [name, ...audiences].join(' '))
    const text = lines.join('\n')
    if (text !== recorded) audit.record('editions_changed', { release: id, editions: lines })
    recorded = text
  }
}

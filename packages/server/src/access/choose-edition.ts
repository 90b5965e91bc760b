import { DEFAULT_EDITION, type Edition, type Manifest } from '@sekisho/release'
import type { AuditTrail } from '../audit/index.ts'
import { type AccessPolicy, groupsOf, type Reader } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

type Named = Pick<Edition, 'name' | 'audiences'>

/** A reader, the edition that they asked to look at the portal as, and the one that their token is for no more than. */
type Viewer = Reader & { readonly viewingAs?: string; readonly edition?: string }

/**
 * Chooses anew for each request, by the policy in force: the first edition all of whose audiences are groups of the reader, unless they look
 * at another one of these and may. One who asks with a token for no more than an edition gets that, or one with fewer audiences; none where
 * there is no edition of that name any more.
 */
export function createEditionChoice(policy: PolicySource) {
  return <E extends Named>(editions: readonly E[], reader: Viewer): E | null => {
    const limit = editions.find(({ name }) => name === reader.edition)
    if (reader.edition !== undefined && limit === undefined) return null
    const [first] = editions
    if (editions.length === 1 && first?.audiences.length === 0) return first // of a site that does not tell its readers apart
    const { viewingAs } = reader
    const isWithin = ({ audiences }: E) =>
      limit === undefined || audiences.every((audience) => limit.audiences.includes(audience))
    const own = admittingEditions(policy(), editions, reader).filter(isWithin)
    const viewed =
      viewingAs !== undefined && mayView(policy(), reader)
        ? own.find(({ name }) => name === viewingAs)
        : undefined
    return viewed ?? own[0] ?? null
  }
}

/** Editions that a reader may look at the portal as, all of which they may read: none unless the policy names a group of theirs for it. */
export function viewableEditions<E extends Named>(
  policy: AccessPolicy,
  editions: readonly E[],
  reader: Reader,
): readonly E[] {
  return mayView(policy, reader) && editions.length > 1 ? admittingEditions(policy, editions, reader) : []
}

function mayView(policy: AccessPolicy, reader: Reader): boolean {
  const groups = groupsOf(policy, reader)
  return [...policy.viewingAs].some((name) => groups.has(name))
}

/** The editions that a reader may read, in their order. */
export function admittingEditions<E extends Named>(
  policy: AccessPolicy,
  editions: readonly E[],
  reader: Reader,
): readonly E[] {
  const groups = groupsOf(policy, reader)
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

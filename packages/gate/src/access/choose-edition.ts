import type { Edition } from '@sekisho/release'
import { groupsOf, type Reader } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

/** Chooses anew for each request, by the policy in force: the first edition all of whose audiences are groups of the reader. */
export function createEditionChoice(policy: PolicySource) {
  return (editions: readonly Edition[], reader: Reader): Edition | null => {
    const [first] = editions
    if (editions.length === 1 && first?.audiences.length === 0) return first // of a site that does not tell its readers apart
    const groups = groupsOf(policy(), reader)
    return editions.find(({ audiences }) => audiences.every((audience) => groups.has(audience))) ?? null
  }
}

import { hash } from 'node:crypto'
import type { Message } from '@sekisho/contract/language'
import { problemOf } from '../texts/index.ts'
import { type AccessPolicy, type Addresses, type PolicyReading, readPolicy } from './policy.ts'

/**
 * A policy as one text for each rule, in an order of its own: `domains example.co.jp`, `emails a@example.co.jp`,
 * `groups sre entra:OBJECT-ID`. The trail keeps it like this.
 */
export function writeRules({ groups, viewingAs, ...admitted }: AccessPolicy): readonly string[] {
  return [
    ...[...admitted.domains].map((domain) => `domains ${domain}`),
    ...[...admitted.emails].map((email) => `emails ${email}`),
    ...[...groups].flatMap(([name, members]) =>
      [...entriesOf(members), ...members.ids, ...[...members.owners].map((one) => `owner:${one}`)].map(
        (it) => `groups ${name} ${it}`,
      ),
    ),
    ...[...viewingAs].map((name) => `viewingAs ${name}`),
  ].sort()
}

const entriesOf = ({ domains, emails }: Addresses): readonly string[] => [
  ...[...domains].map((domain) => `@${domain}`),
  ...emails,
]

/** Digest of a policy: equal for equal policies, whatever their files look like. */
export function digestOfRules(rules: readonly string[]): string {
  return hash('sha256', rules.join('\n'))
}

const RULE = /^(?:(domains|emails|viewingAs) (\S+)|groups (\S+) (\S.*))$/

/** Reads rules as {@link writeRules} wrote them. */
export function readRules(rules: readonly string[]): PolicyReading {
  const lists: Record<string, string[]> = { domains: [], emails: [], viewingAs: [] }
  const groups = new Map<string, string[]>()
  const unknown: Message[] = []
  for (const rule of rules) {
    const [, list, entry = '', group, member = ''] = RULE.exec(rule) ?? []
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), member])
    else if (list !== undefined) lists[list]?.push(entry)
    else unknown.push(problemOf('no_rule', JSON.stringify(rule)))
  }
  const { domains = [], emails = [], viewingAs = [] } = lists
  const { policy, problems } = readPolicy(domains, emails, Object.fromEntries(groups), viewingAs)
  return { policy, problems: [...unknown, ...problems] }
}

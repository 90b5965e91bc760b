import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { AuditFields, AuditTrail } from '@sekisho/state/audit'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import {
  type AccessPolicy,
  type Addresses,
  type GroupEntries,
  type Members,
  type PolicyReading,
  readPolicy,
} from './policy.ts'

/** Gives the policy in force now; asked on every request. */
export type PolicySource = () => AccessPolicy

/**
 * A policy file that counts from the next request after it was written: one `stat` per request, one read per
 * change, which the caller sees before it counts. A file that cannot be read or understood is an outage for everybody, never an older or wider policy.
 */
export function policyFile(path: string, onChange: (policy: AccessPolicy) => void = () => {}): PolicySource {
  let known: { readonly stamp: string; readonly policy: AccessPolicy } | null = null
  let digest: string | null = null

  function read(): AccessPolicy {
    const policy = readWhole(path)
    const found = digestOfPolicy(policy)
    if (digest !== null && digest !== found) onChange(policy)
    digest = found
    return policy
  }
  return () => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true })
      const stamp = `${ino}:${size}:${mtimeNs}`
      if (known?.stamp !== stamp) known = { stamp, policy: read() }
      return known.policy
    } catch (cause) {
      known = null
      throw new UnavailableError('unavailable', 'the access policy file cannot be read', { cause })
    }
  }
}

/** Opens the policy as configured; that a file of it changed is on the trail before it counts. */
export function openPolicy(
  access: { readonly policy: AccessPolicy } | { readonly file: string },
  audit: Pick<AuditTrail, 'record'>,
): PolicySource {
  if ('policy' in access) return () => access.policy
  return policyFile(access.file, (changed) => {
    audit.record(
      'policy_changed',
      describePolicy(() => changed),
    )
  })
}

/** Which policy is in force, for the trail; a file that cannot be read is none, and admits nobody. */
export function describePolicy(policy: PolicySource): AuditFields {
  try {
    const { domains, emails } = policy()
    return { domains: [...domains], addresses: emails.size, policy: digestOfPolicy(policy()) }
  } catch {
    return { policy: null }
  }
}

/** Who was admitted when, without every address: equal policies have equal digests. */
function digestOfPolicy({ groups, ...admitted }: AccessPolicy): string {
  const inOrder = ({ domains, emails }: Addresses) => [[...domains].sort(), [...emails].sort()]
  const membersInOrder = (members: Members) => [...inOrder(members), [...members.ids].sort()]
  const named = [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([
    ...inOrder(admitted),
    ...named.map(([name, members]) => [name, membersInOrder(members)]),
  ])
  return hash('sha256', text)
}

function readWhole(path: string): AccessPolicy {
  const { policy, problems } = readPolicyText(readFileSync(path, 'utf8'))
  if (problems.length > 0) throw new Error(problems.join('; '))
  return policy
}

const KEYS = new Set(['domains', 'emails', 'groups'])

/** Reads `{ "domains": [...], "emails": [...], "groups": { "name": [...] } }`; unknown keys and an empty policy are problems. */
export function readPolicyText(text: string): PolicyReading {
  const value: unknown = parseJson(text)
  if (typeof value !== 'object' || value === null) return refused('the policy is not a JSON object')
  const unknownKey = Object.keys(value).find((key) => !KEYS.has(key))
  if (unknownKey !== undefined) return refused(`unknown key ${JSON.stringify(unknownKey)}`)
  const domains = readStrings('domains' in value ? value.domains : [])
  const emails = readStrings('emails' in value ? value.emails : [])
  if (domains === null || emails === null) return refused('"domains" and "emails" must be lists of texts')
  const groups = readGroups('groups' in value ? value.groups : {})
  if (groups === null) return refused('"groups" must be lists of texts by their names')
  if (domains.length + emails.length + Object.values(groups).flat().length === 0)
    return refused('the policy admits nobody')
  return readPolicy(domains, emails, groups)
}

function readGroups(value: unknown): GroupEntries | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const groups = Object.entries(value).map(([name, members]) => [name, readStrings(members)] as const)
  return groups.some(([, members]) => members === null)
    ? null
    : Object.fromEntries(groups.map(([name, members]) => [name, members ?? []]))
}

function refused(problem: string): PolicyReading {
  return { policy: { domains: new Set(), emails: new Set(), groups: new Map() }, problems: [problem] }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function readStrings(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : null
}

import { parseHandwrittenJson } from '@sekisho/contract/handwritten-json'
import type { Message } from '@sekisho/contract/language'
import type { AuditFields, AuditTrail } from '../audit/index.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { problemOf } from '../texts/index.ts'
import { type FollowedFile, followedFile, type KeepOptions } from './followed-file.ts'
import { type AccessPolicy, type GroupEntries, type PolicyReading, readPolicy } from './policy.ts'
import { digestOfRules, writeRules } from './policy-rules.ts'

/** Gives the policy in force now; asked on every request. */
export type PolicySource = () => AccessPolicy

/**
 * Follows a policy file: changes apply from the next request, and are reported to the caller first. An empty policy is valid, so it admits
 * no reader at once.
 */
export function policyFile(
  path: string,
  options: KeepOptions,
  onChange: (policy: AccessPolicy) => void = () => {},
): FollowedFile<AccessPolicy> {
  let digest: string | null = null
  const parse = (text: string): AccessPolicy => {
    const { policy, problems } = readPolicyText(text)
    if (problems.some(({ code }) => code === 'policy_empty'))
      throw new UnavailableError('unavailable', 'the access policy admits nobody')
    if (problems.length > 0) throw new Error(problems.join('; '))
    const found = digestOfRules(writeRules(policy))
    if (digest !== null && digest !== found) onChange(policy)
    digest = found
    return policy
  }
  return followedFile({ path, setting: 'SEKISHO_POLICY_FILE' }, parse, options)
}

/** Opens the policy as configured; that a file of it changed is on the trail before it counts. */
export function openPolicy(
  access: { readonly policy: AccessPolicy } | { readonly file: string },
  audit: Pick<AuditTrail, 'record'>,
  options: KeepOptions,
): FollowedFile<AccessPolicy> {
  if ('policy' in access) return { read: () => access.policy, state: () => 'ok' }
  return policyFile(access.file, options, (changed) => {
    const policy = () => changed
    recordRules(policy, audit)
    audit.record('policy_changed', describePolicy(policy))
  })
}

/** The same policy for accounts of these issuers alone. */
export function forIssuers(policy: PolicySource, issuers: ReadonlySet<string>): PolicySource {
  return () => ({ ...policy(), issuers })
}

/** So many rules share a line of the trail. */
const RULES_PER_LINE = 500

/** Records every rule of the policy in force, under its digest: what admitted whom can be said of any time (`sekisho access review`). */
export function recordRules(policy: PolicySource, audit: Pick<AuditTrail, 'record'>): void {
  const rules = readableRules(policy)
  const digest = digestOfRules(rules)
  const parts = Math.ceil(rules.length / RULES_PER_LINE)
  for (let part = 0; part < parts; part += 1) {
    const own = rules.slice(part * RULES_PER_LINE, (part + 1) * RULES_PER_LINE)
    audit.record('policy_rules', { policy: digest, part: part + 1, parts, rules: own })
  }
}

/** Rules of a policy; an unreadable one has none, and admits no reader. */
function readableRules(policy: PolicySource): readonly string[] {
  try {
    return writeRules(policy())
  } catch {
    return []
  }
}

/** The policy in force, for the trail; an unreadable file is none, and admits no reader. */
export function describePolicy(policy: PolicySource): AuditFields {
  try {
    const { domains, emails } = policy()
    return { domains: [...domains], addresses: emails.size, policy: digestOfRules(writeRules(policy())) }
  } catch {
    return { policy: null }
  }
}

const KEYS = new Set(['domains', 'emails', 'groups', 'viewingAs'])

/** Reads `{ "domains": […], "emails": […], "groups": { "name": […] }, "viewingAs": ["name"] }`; unknown keys and an empty policy are problems. */
export function readPolicyText(text: string): PolicyReading {
  const read = parseHandwrittenJson(text)
  if (!read.ok) return refused(problemOf('policy_text', read.problem))
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(problemOf('policy_no_object'))
  const unknownKey = Object.keys(value).find((key) => !KEYS.has(key))
  if (unknownKey !== undefined) return refused(problemOf('policy_unknown_key', JSON.stringify(unknownKey)))
  const domains = readStrings('domains' in value ? value.domains : [])
  const emails = readStrings('emails' in value ? value.emails : [])
  if (domains === null || emails === null) return refused(problemOf('policy_no_lists'))
  const groups = readGroups('groups' in value ? value.groups : {})
  if (groups === null) return refused(problemOf('policy_no_groups'))
  const viewingAs = readStrings('viewingAs' in value ? value.viewingAs : [])
  if (viewingAs === null) return refused(problemOf('policy_no_viewing'))
  if (domains.length + emails.length + Object.values(groups).flat().length === 0)
    return refused(problemOf('policy_empty'))
  return readPolicy(domains, emails, groups, viewingAs)
}

function readGroups(value: unknown): GroupEntries | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const groups = Object.entries(value).map(([name, members]) => [name, readStrings(members)] as const)
  return groups.some(([, members]) => members === null)
    ? null
    : Object.fromEntries(groups.map(([name, members]) => [name, members ?? []]))
}

function refused(problem: Message): PolicyReading {
  return {
    policy: { domains: new Set(), emails: new Set(), groups: new Map(), viewingAs: new Set() },
    problems: [problem],
  }
}

function readStrings(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : null
}

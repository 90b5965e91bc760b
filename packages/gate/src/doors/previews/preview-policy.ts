import type { PreviewReaders } from '@sekisho/release'
import { type AccessPolicy, admits, readPolicy } from '../../access/policy.ts'
import type { PolicySource } from '../../access/policy-source.ts'

const NOBODY: AccessPolicy = { domains: new Set(), emails: new Set(), groups: new Map() }

/** The readers a preview names, as a policy; what cannot be read admits nobody. */
export function previewPolicy({ domains, emails }: PreviewReaders): AccessPolicy {
  const { policy, problems } = readPolicy(domains, emails)
  return problems.length === 0 ? policy : NOBODY
}

/** Whoever both policies admit, in the groups of the first. */
export function intersect(a: AccessPolicy, b: AccessPolicy): AccessPolicy {
  const shared = [...a.emails].filter((email) => admits(b, email))
  const others = [...b.emails].filter((email) => admits(a, email))
  const emails = new Set([...shared, ...others])
  return { domains: a.domains.intersection(b.domains), emails, groups: a.groups }
}

/** The portal's policy, made narrower by a preview's readers, and never wider; recomputed when the portal's changes. */
export function narrow(portal: PolicySource, readers: PreviewReaders | undefined): PolicySource {
  if (readers === undefined) return portal
  const own = previewPolicy(readers)
  let known: { readonly of: AccessPolicy; readonly policy: AccessPolicy } | null = null
  return () => {
    const of = portal()
    if (known?.of !== of) known = { of, policy: intersect(of, own) }
    return known.policy
  }
}

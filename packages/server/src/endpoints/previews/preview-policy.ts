import type { PreviewReaders } from '@sekisho/release'
import { type AccessPolicy, type Addresses, readPolicy } from '../../access/policy.ts'
import type { PolicySource } from '../../access/policy-source.ts'

const NOBODY: Addresses = { domains: new Set(), emails: new Set() }

/** The readers a preview names; unreadable lists name none. */
export function readersOf({ domains, emails }: PreviewReaders): Addresses {
  const { policy, problems } = readPolicy(domains, emails)
  return problems.length === 0 ? policy : NOBODY
}

/** The portal's policy, made narrower by a preview's readers, and never wider; made anew when the portal's changes. */
export function narrow(portal: PolicySource, readers: PreviewReaders | undefined): PolicySource {
  if (readers === undefined) return portal
  const only = readersOf(readers)
  let known: { readonly of: AccessPolicy; readonly policy: AccessPolicy } | null = null
  return () => {
    const of = portal()
    if (known?.of !== of) known = { of, policy: { ...of, only } }
    return known.policy
  }
}

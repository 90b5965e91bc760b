import type { Preview, PreviewReaders } from '@sekisho/release'
import { type AccessPolicy, type Addresses, holds, readPolicy, type VouchedAccount } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

const NOBODY: Addresses = { domains: new Set(), emails: new Set() }

/** Tells if a preview is for an account that the portal admits: any, or those that the preview names. */
export function isPreviewReader(
  { email, vouched }: VouchedAccount,
  { readers }: Pick<Preview, 'readers'>,
): boolean {
  return readers === undefined || (vouched.address && holds(readersOf(readers), email))
}

/** The readers that a preview names; none if its lists are invalid. */
function readersOf({ domains, emails }: PreviewReaders): Addresses {
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

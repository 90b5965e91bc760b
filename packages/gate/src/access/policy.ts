/** Who may read: whole mail domains, and single addresses. Everything is lower-case ASCII. */
export interface AccessPolicy {
  readonly domains: ReadonlySet<string>
  readonly emails: ReadonlySet<string>
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+${LABEL}$`)
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/**
 * Reads an address of the plainest kind: printable ASCII, one @, no quoting, no comments. Returns it in lower
 * case, or null. ASCII is checked before folding, because U+212A folds to an ordinary k.
 */
function readEmail(text: string): { readonly email: string; readonly domain: string } | null {
  if (!/^[\x21-\x7e]{3,254}$/.test(text)) return null
  const email = text.toLowerCase()
  const [local = '', domain = '', ...rest] = email.split('@')
  if (rest.length > 0 || local.length > 64) return null
  return LOCAL_PART.test(local) && DOMAIN.test(domain) ? { email, domain } : null
}

/** Reads a domain of the policy, or returns null: no wildcard, no leading @ or dot, no non-ASCII form. */
function readDomain(text: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(text)) return null
  const domain = text.toLowerCase()
  return DOMAIN.test(domain) ? domain : null
}

/** Addresses of live sessions come again with every request; parsing one costs two microseconds. */
const MAX_KNOWN = 1_000
const known = new Map<string, ReturnType<typeof readEmail>>()

function readKnown(address: string): ReturnType<typeof readEmail> {
  const read = known.get(address)
  if (read !== undefined) return read
  if (known.size >= MAX_KNOWN) known.clear()
  const fresh = readEmail(address)
  known.set(address, fresh)
  return fresh
}

/** Whether the policy admits an address; a domain never admits its subdomains. */
export function admits(policy: AccessPolicy, address: string): boolean {
  const read = readKnown(address)
  return read !== null && (policy.domains.has(read.domain) || policy.emails.has(read.email))
}

export interface PolicyReading {
  readonly policy: AccessPolicy
  /** One sentence for each entry that is not a domain or an address. */
  readonly problems: readonly string[]
}

/** Reads the two lists of a policy; entries that cannot be read are reported and admit nobody. */
export function readPolicy(domains: readonly string[], emails: readonly string[]): PolicyReading {
  const problems = [
    ...domains
      .filter((text) => readDomain(text) === null)
      .map((text) => `${JSON.stringify(text)} is not a domain`),
    ...emails
      .filter((text) => readEmail(text) === null)
      .map((text) => `${JSON.stringify(text)} is not an address`),
  ]
  const policy = {
    domains: new Set(domains.map(readDomain).filter((domain) => domain !== null)),
    emails: new Set(emails.flatMap((text) => readEmail(text)?.email ?? [])),
  }
  return { policy, problems }
}

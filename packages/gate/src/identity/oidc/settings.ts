import type { LoginProvider } from '@sekisho/contract/login-page'
import { signInRoutes } from '@sekisho/contract/routes'
import type { IdentityConfig, ProviderConfig, SettingsSource } from '../provider.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { VENDORS, type Vendor, vendorOf } from './vendors.ts'

/** How many providers may stand side by side: `SEKISHO_OIDC_…`, `SEKISHO_OIDC_2_…`, up to this. */
const MAX_PROVIDERS = 9
const NAME = /^[a-z][a-z0-9-]{0,30}$/
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** Reads every provider whose issuer is set. On a developer's machine one may speak http on loopback. */
export function readOidc(
  settings: SettingsSource,
  { isLocal, problems }: { readonly isLocal: boolean; readonly problems: string[] },
): IdentityConfig {
  const prefixes = [
    'SEKISHO_OIDC_',
    ...Array.from({ length: MAX_PROVIDERS - 1 }, (_, n) => `SEKISHO_OIDC_${n + 2}_`),
  ]
  const used = prefixes.filter((prefix, n) => n === 0 || settings.text(`${prefix}ISSUER`) !== undefined)
  const found = used.flatMap(
    (prefix, n) => readOne(prefix, { settings, isFirst: n === 0, isLocal, problems }) ?? [],
  )
  const repeated = found.find(({ name }, n) => found.some((other, m) => m < n && other.name === name))
  if (repeated !== undefined)
    problems.push(
      `two providers are called ${repeated.name}: name them apart with SEKISHO_OIDC_NAME and SEKISHO_OIDC_2_NAME`,
    )
  if (found.length > 1)
    for (const [n, { domains }] of found.entries())
      if (domains.length === 0)
        problems.push(
          `${used[n]}DOMAINS must name the mail domains this provider may vouch for: with several providers one could give its accounts the addresses of another's`,
        )
  const providers = found.map(configure)
  return {
    providers,
    broken:
      providers.length > 0
        ? providers.map(({ login }) => login)
        : [{ ...describe('oidc', 'SSO'), settings: {} }],
    owner: { issuer: found[0]?.issuer ?? '', projectId: found[0]?.clientId ?? '' },
    problems: [],
  }
}

interface ReadOptions {
  readonly settings: SettingsSource
  readonly isFirst: boolean
  readonly isLocal: boolean
  readonly problems: string[]
}

function readOne(prefix: string, { settings, isFirst, isLocal, problems }: ReadOptions): OidcSettings | null {
  const before = problems.length
  const text = (name: string) => settings.text(prefix + name)
  const report = (name: string, what: string) => problems.push(`${prefix}${name} ${what}`)

  const issuer = text('ISSUER') ?? ''
  const url = URL.parse(issuer)
  const isLoopback = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (
    url === null ||
    url.search !== '' ||
    url.hash !== '' ||
    !(url.protocol === 'https:' || (isLocal && isLoopback))
  )
    report('ISSUER', 'must be the https address of the provider, exactly as its tokens name it')
  const chosen = text('VENDOR')
  const vendor = findVendor(chosen, url)
  if (vendor === null) report('VENDOR', `must be one of ${Object.keys(VENDORS).join(', ')}`)
  const wrongIssuer = url === null ? null : (vendor?.findProblem(url) ?? null)
  if (wrongIssuer !== null) report('ISSUER', wrongIssuer)
  const clientId = text('CLIENT_ID')
  if (clientId === undefined) report('CLIENT_ID', 'is missing')
  const name = text('NAME') ?? vendor?.name ?? 'oidc'
  if (!NAME.test(name) || name === 'role')
    report('NAME', 'must be a short name of small letters, digits and hyphens')
  const domains = (text('DOMAINS') ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (!domains.every((domain) => DOMAIN.test(domain)))
    report('DOMAINS', 'must be mail domains, separated by commas')
  const credential = readCredential(prefix, settings, problems)
  if (problems.length > before || vendor === null || clientId === undefined || credential === null)
    return null
  return {
    ...{ name, vendor, issuer, clientId, credential, domains, isFirst },
    label: text('LABEL') ?? vendor.label,
    scopes: text('SCOPES') ?? vendor.scopes,
    groupsClaim: text('GROUPS_CLAIM') ?? 'groups',
  }
}

function findVendor(chosen: string | undefined, url: URL | null): Vendor | null {
  if (chosen === undefined) return url === null ? VENDORS.oidc : vendorOf(url)
  return Object.values(VENDORS).find(({ name }) => name === chosen) ?? null
}

function readCredential(
  prefix: string,
  settings: SettingsSource,
  problems: string[],
): OidcSettings['credential'] | null {
  const secret = settings.secret(`${prefix}CLIENT_SECRET`)
  const privateKey = settings.secret(`${prefix}PRIVATE_KEY`)
  if (secret !== undefined && privateKey !== undefined) {
    problems.push(`${prefix}PRIVATE_KEY_FILE replaces ${prefix}CLIENT_SECRET: set one of them`)
    return null
  }
  if (privateKey !== undefined) return { privateKey }
  if (secret !== undefined) return { secret }
  problems.push(
    `${prefix}CLIENT_SECRET (or ${prefix}CLIENT_SECRET_FILE, or ${prefix}PRIVATE_KEY_FILE) is missing`,
  )
  return null
}

function configure(settings: OidcSettings): ProviderConfig {
  const { name, label, issuer, clientId } = settings
  const login: LoginProvider = {
    ...describe(name, label),
    settings: { start: signInRoutes(name).start.path },
  }
  return {
    login,
    owner: { issuer, projectId: clientId },
    summary: `${name} (${issuer})`,
    findProblems: () => [],
    // Imported by whoever opens it alone: commands read these settings, too, and need no more than that.
    open: async (options) => {
      const [{ createClientAuth }, { createOidcProvider }] = await Promise.all([
        import('./client.ts'),
        import('./provider.ts'),
      ])
      return createOidcProvider({
        ...options,
        settings,
        login,
        auth: await createClientAuth(settings.credential),
      })
    },
  }
}

const describe = (id: string, label: string) => ({ id, kind: 'redirect', label }) as const

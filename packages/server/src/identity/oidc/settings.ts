import type { Message } from '@sekisho/contract/language'
import type { LoginProvider } from '@sekisho/contract/login-page'
import { signInRoutes } from '@sekisho/contract/routes'
import { settingProblemOf } from '@sekisho/contract/setting-problem'
import type { IdentityConfig, ProviderConfig, SettingsSource } from '../provider.ts'
import { problemOf } from '../texts/index.ts'
import { type OidcSettings, TOKEN_AUTH, type TokenAuth } from './oidc-settings.ts'
import { VENDORS, type Vendor, vendorOf } from './vendors.ts'

/** Maximum number of providers: `SEKISHO_OIDC_…`, `SEKISHO_OIDC_2_…`, up to this. */
const MAX_PROVIDERS = 9
const NAME = /^[a-z][a-z0-9-]{0,30}$/
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** Reads every provider whose issuer is set. On a developer's machine one may speak http on loopback. */
export function readOidc(
  settings: SettingsSource,
  { isLocal, problems }: { readonly isLocal: boolean; readonly problems: Message[] },
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
  if (repeated !== undefined) problems.push(problemOf('same_provider_name', repeated.name))
  if (found.length > 1)
    for (const [n, { domains }] of found.entries())
      if (domains.length === 0) problems.push(problemOf('no_provider_domains', `${used[n]}DOMAINS`))
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

/** Problems of one setting, independent of its value. */
type SettingProblem = 'missing' | 'bad_provider_issuer' | 'bad_provider_name' | 'bad_domains'

interface ReadOptions {
  readonly settings: SettingsSource
  readonly isFirst: boolean
  readonly isLocal: boolean
  readonly problems: Message[]
}

function readOne(prefix: string, { settings, isFirst, isLocal, problems }: ReadOptions): OidcSettings | null {
  const before = problems.length
  const text = (name: string) => settings.text(prefix + name)
  const report = (code: SettingProblem, name: string) => problems.push(problemOf(code, prefix + name))

  const issuer = text('ISSUER') ?? ''
  const url = URL.parse(issuer)
  const isLoopback = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (
    url === null ||
    url.search !== '' ||
    url.hash !== '' ||
    !(url.protocol === 'https:' || (isLocal && isLoopback))
  )
    report('bad_provider_issuer', 'ISSUER')
  const chosen = text('VENDOR')
  const vendor = findVendor(chosen, url)
  if (vendor === null) problems.push(settingProblemOf('not_one_of', `${prefix}VENDOR`, Object.keys(VENDORS)))
  const wrongIssuer = url === null ? null : (vendor?.findProblem(url, `${prefix}ISSUER`) ?? null)
  if (wrongIssuer !== null) problems.push(wrongIssuer)
  const clientId = text('CLIENT_ID')
  if (clientId === undefined) report('missing', 'CLIENT_ID')
  const name = text('NAME') ?? vendor?.name ?? 'oidc'
  if (!NAME.test(name) || name === 'role') report('bad_provider_name', 'NAME')
  const domains = (text('DOMAINS') ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (!domains.every((domain) => DOMAIN.test(domain))) report('bad_domains', 'DOMAINS')
  const chosenAuth = text('TOKEN_AUTH')
  const tokenAuth = TOKEN_AUTH.find((known) => known === chosenAuth) ?? null
  if (chosenAuth !== undefined && tokenAuth === null)
    problems.push(settingProblemOf('not_one_of', `${prefix}TOKEN_AUTH`, TOKEN_AUTH))
  const credential = readCredential(prefix, tokenAuth, { settings, problems })
  if (problems.length > before || vendor === null || clientId === undefined || credential === null)
    return null
  const scopes = text('SCOPES') ?? vendor.scopes
  return {
    name,
    vendor,
    issuer,
    clientId,
    credential,
    tokenAuth,
    domains,
    isFirst,
    scopes,
    label: text('LABEL') ?? vendor.label,
    groupsClaim: text('GROUPS_CLAIM') ?? 'groups',
    asksForGroups: text('GROUPS_CLAIM') !== undefined || scopes.split(' ').includes('groups'),
  }
}

function findVendor(chosen: string | undefined, url: URL | null): Vendor | null {
  if (chosen === undefined) return url === null ? VENDORS.oidc : vendorOf(url)
  return Object.values(VENDORS).find(({ name }) => name === chosen) ?? null
}

function readCredential(
  prefix: string,
  tokenAuth: TokenAuth | null,
  { settings, problems }: Pick<ReadOptions, 'settings' | 'problems'>,
): OidcSettings['credential'] | null {
  const secret = settings.secret(`${prefix}CLIENT_SECRET`)
  const privateKey = settings.secret(`${prefix}PRIVATE_KEY`)
  if (secret !== undefined && privateKey !== undefined) {
    problems.push(settingProblemOf('replaces', `${prefix}PRIVATE_KEY_FILE`, [`${prefix}CLIENT_SECRET`]))
    return null
  }
  const isPublic = tokenAuth === 'none'
  if (
    isPublic
      ? secret !== undefined || privateKey !== undefined
      : privateKey !== undefined && tokenAuth !== null
  ) {
    problems.push(
      settingProblemOf('replaces', `${prefix}TOKEN_AUTH`, [
        `${prefix}${privateKey === undefined ? 'CLIENT_SECRET' : 'PRIVATE_KEY_FILE'}`,
      ]),
    )
    return null
  }
  if (isPublic) return { isPublic }
  if (privateKey !== undefined) return { privateKey }
  if (secret !== undefined) return { secret }
  problems.push(problemOf('no_credential', prefix))
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
        auth: await createClientAuth(settings),
      })
    },
  }
}

const describe = (id: string, label: string) => ({ id, kind: 'redirect', label }) as const

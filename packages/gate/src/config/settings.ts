/** Every setting the gate reads, with what it means; `sekisho check --help` prints this table. */
export const SETTINGS = {
  SEKISHO_ORIGIN: 'the one address readers use, as in https://docs.example.com',
  SEKISHO_PORT: 'port to listen on (PORT is read too; default 3000)',
  SEKISHO_HOST: 'address to listen on (default 127.0.0.1)',
  SEKISHO_DATA_DIR: 'folder for releases, sessions and the audit trail (default .sekisho)',
  SEKISHO_RELEASES:
    'where releases are published for many machines: s3://BUCKET/PREFIX?endpoint=URL&region=NAME, or a shared folder (default: the data folder)',
  AWS_ACCESS_KEY_ID: 'key of the bucket; also AWS_ACCESS_KEY_ID_FILE, a file that holds it',
  AWS_SECRET_ACCESS_KEY: 'its secret; also AWS_SECRET_ACCESS_KEY_FILE',
  AWS_SESSION_TOKEN: 'its session token, if there is one; also AWS_SESSION_TOKEN_FILE',
  SEKISHO_RELEASES_KEEP:
    'how long a release is kept after another took its place, for tabs that are still open (default 30d)',
  SEKISHO_RELEASES_MAX: 'how many releases are kept at most (default 0: any number)',
  SEKISHO_PUBLISH_RULES_FILE:
    'JSON file with "rules": which jobs of GitHub Actions and GitLab CI may publish, read again when it changes',
  SEKISHO_PUBLISH_MAX_MB: 'how much may wait here of releases that are being sent, in MB (default 2048)',
  SEKISHO_PUBLISH_TOKEN: 'for sekisho publish: a token made with sekisho tokens create',
  SEKISHO_ID_TOKEN: "for sekisho publish: the ID token of a GitLab job, for the portal's origin",
  SEKISHO_TITLE: 'product name on the login page (default Sekisho)',
  SEKISHO_TAGLINE: 'tagline on the login page',
  SEKISHO_LOGIN_LANG: 'language of the login page, ja or en (default ja)',
  SEKISHO_TIME_ZONE: 'time zone of times on the gate’s own pages (default Asia/Tokyo)',
  SEKISHO_ALLOWED_DOMAINS: 'mail domains that may read, separated by commas',
  SEKISHO_ALLOWED_EMAILS: 'single addresses that may read, separated by commas',
  SEKISHO_POLICY_FILE: 'JSON file with "domains" and "emails", read again when it changes',
  SEKISHO_GRANTS:
    'what pages may use from other hosts, as in: img https://images.example.com; frame https://www.youtube.com (default nothing; what each one costs is said by sekisho check)',
  SEKISHO_SESSION_IDLE: 'a session unused for so long ends (default 12h)',
  SEKISHO_SESSION_ABSOLUTE: 'a session this old ends, used or not (default 7d)',
  SEKISHO_REPROOF_INTERVAL: 'how often each account is proven again (default 5m)',
  SEKISHO_REPROOF_GRACE: 'how long sessions outlive an outage of the identity service (default 30m)',
  SEKISHO_KEEP_ALIVE:
    'how long a connection may rest between two requests; longer than the proxy keeps it (default 65s)',
  SEKISHO_TRUSTED_PROXIES: 'addresses or CIDR blocks whose X-Forwarded-For is believed, separated by commas',
  SEKISHO_NETWORKS:
    'names of networks, as in 本社=192.0.2.0/24,VPN=10.0.0.0/8; with them readers see where their sessions are',
  SEKISHO_DATABASE_URL:
    'PostgreSQL that several gates share, as in postgres://… (default: files in SEKISHO_DATA_DIR)',
  SEKISHO_DATABASE_URL_FILE: 'file that holds the URL instead',
  SEKISHO_ACCEPT_RISKS: 'risks to start with nevertheless, by the names that sekisho serve gives them',
  SEKISHO_SECRET: 'at least 32 characters; encrypts the stored refresh tokens',
  SEKISHO_SECRET_FILE: 'file that holds the secret instead',
  SEKISHO_SEARCH_LOG_DAYS: 'how many days of searches are kept, without names (default 30; 0 keeps none)',
  SEKISHO_FEEDBACK_DAYS:
    'how many days of readers’ opinions of pages are kept, without names (default 365; 0 keeps none)',
  SEKISHO_AUDIT_KEEP: 'how long the audit trail is kept (default 365d)',
  SEKISHO_OPERATOR: 'who runs commands, for the audit trail, where the system user says too little',
  SEKISHO_METRICS_PORT: 'loopback port for Prometheus metrics (default none)',
  SEKISHO_LOG_LEVEL: 'debug, info, warn or error (default info; locally warn)',
  SEKISHO_IDENTITY:
    'who signs readers in: firebase (default), oidc, or both as in oidc,firebase; locally also local (default)',
  SEKISHO_OIDC_ISSUER:
    'issuer of an OpenID provider, exactly as its tokens name it; a second one has SEKISHO_OIDC_2_ISSUER, and so on for every SEKISHO_OIDC_ setting, up to 9',
  SEKISHO_OIDC_CLIENT_ID: 'client id of the portal at the provider',
  SEKISHO_OIDC_CLIENT_SECRET: 'its client secret; also SEKISHO_OIDC_CLIENT_SECRET_FILE, a file that holds it',
  SEKISHO_OIDC_CLIENT_SECRET_FILE: 'file that holds the client secret',
  SEKISHO_OIDC_PRIVATE_KEY_FILE: 'private key (PKCS #8 PEM, RSA or P-256) in place of a client secret',
  SEKISHO_OIDC_NAME:
    'short name of the provider, before its groups in the policy and in addresses of the gate (default entra, google, okta, keycloak or oidc, by the issuer)',
  SEKISHO_OIDC_LABEL: 'what readers call its accounts, on the button of the login page',
  SEKISHO_OIDC_VENDOR:
    'entra, google, okta, keycloak or oidc, where the issuer does not say which it is (a domain of your own)',
  SEKISHO_OIDC_DOMAINS:
    'mail domains whose addresses the provider may vouch for, separated by commas; required with several providers',
  SEKISHO_OIDC_SCOPES: 'scopes to ask for, separated by spaces (default by provider)',
  SEKISHO_OIDC_GROUPS_CLAIM: 'claim of the ID token that lists groups (default groups)',
  FIREBASE_API_KEY: 'apiKey of the Firebase web app',
  FIREBASE_AUTH_DOMAIN: "the portal's own host",
  FIREBASE_PROJECT_ID: 'projectId of the Firebase project',
  FIREBASE_STORAGE_BUCKET: 'storageBucket of the Firebase project (optional)',
} as const

export type SettingName = keyof typeof SETTINGS | 'PORT'
export type Environment = Readonly<Record<string, string | undefined>>

/** The operator's mistakes, all of them at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads typed settings and collects what is wrong with them; a wrong one reads as its default. */
export class SettingsReader {
  readonly problems: string[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
    for (const name of Object.keys(env)) {
      const known = name.replace(/^SEKISHO_OIDC_[2-9]_/, 'SEKISHO_OIDC_')
      if (name.startsWith('SEKISHO_') && !(known in SETTINGS)) this.problems.push(`${name} is not a setting`)
    }
  }

  /** The trimmed text, or undefined when unset or empty. */
  text(name: SettingName): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** The same of a setting of a provider, of which there may be several. */
  named(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  list(name: SettingName): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  }

  port(name: SettingName): number | undefined {
    const value = this.text(name)
    if (value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535)) return readNumber(value)
    this.problems.push(`${name} must be a port number from 0 to 65535`)
    return undefined
  }

  /** A whole number from zero to `max`. */
  count(name: SettingName, fallback: number, max: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    if (/^\d{1,6}$/.test(value) && Number(value) <= max) return Number(value)
    this.problems.push(`${name} must be a whole number from 0 to ${max}`)
    return fallback
  }

  /** Milliseconds of a duration such as `90s`, `5m`, `12h` or `7d`. */
  duration(name: SettingName, fallbackMs: number): number {
    const value = this.text(name)
    if (value === undefined) return fallbackMs
    const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? []
    const ms = Number(count) * (UNIT_MS[unit] ?? 0)
    if (ms > 0) return ms
    this.problems.push(`${name} must be a duration such as 90s, 5m, 12h or 7d`)
    return fallbackMs
  }
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

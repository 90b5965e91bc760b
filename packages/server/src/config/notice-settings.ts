import { readEmail } from '../access/policy.ts'
import { problemOf } from '../texts/index.ts'
import type { SettingsReader } from './settings.ts'

const WEBHOOK_FORMATS = ['json', 'slack', 'teams'] as const

/** Channel of a team that is told of publications and of what its pages need. */
export interface WebhookConfig {
  readonly url: URL
  readonly format: (typeof WEBHOOK_FORMATS)[number]
  /** Key of the signature; null for a receiver that checks none. */
  readonly key: Uint8Array | null
  /** Groups of the policy that everybody in the channel is in: they decide the edition that it is told of. */
  readonly groups: ReadonlySet<string>
}

/** Server that mail is handed to. */
export interface MailConfig {
  /** `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://` with STARTTLS. */
  readonly url: URL
  readonly from: string
  /** Addresses of owners that pages name otherwise, as teams. */
  readonly owners: ReadonlyMap<string, string>
}

/** Notices that the gate sends. */
export interface NoticeConfig {
  readonly webhook: WebhookConfig | null
  readonly mail: MailConfig | null
  /** Hosts that may have an address of a private network, and need no TLS. */
  readonly privateHosts: ReadonlySet<string>
  readonly everyDays: 1 | 7
}

const DAYS = { daily: 1, weekly: 7 } as const

/** Reads the settings of notices; null unless a webhook or a mail server is named. */
export function readNoticeSettings(settings: SettingsReader): NoticeConfig | null {
  const privateHosts = new Set(settings.list('SEKISHO_NOTICES_PRIVATE_HOSTS'))
  const webhook = readWebhook(settings, privateHosts)
  const mail = readMail(settings, privateHosts)
  const every = settings.choice('SEKISHO_NOTICES_EVERY', ['weekly', 'daily'])
  if (webhook === null && mail === null) return null
  return { webhook, mail, privateHosts, everyDays: DAYS[every] }
}

function readWebhook(settings: SettingsReader, privateHosts: ReadonlySet<string>): WebhookConfig | null {
  const text = settings.secret('SEKISHO_NOTICES_WEBHOOK')
  const format = settings.choice('SEKISHO_NOTICES_FORMAT', WEBHOOK_FORMATS)
  const keyText = settings.file('SEKISHO_NOTICES_KEY_FILE')
  const groups = new Set(settings.list('SEKISHO_NOTICES_GROUPS'))
  if (text === undefined) return null
  const url = URL.parse(text)
  const key = keyText === undefined ? null : readKey(keyText)
  if (keyText === undefined ? format === 'json' : key === null)
    settings.problems.push(problemOf('bad_notices_key'))
  if (url === null || url.username !== '' || url.hash !== '' || !isAllowed(url, 'http', privateHosts)) {
    settings.problems.push(problemOf('bad_notices_webhook'))
    return null
  }
  return { url, format, key, groups }
}

/** At least 24 bytes in the form of Standard Webhooks, `whsec_` and base64; null for any other. */
function readKey(text: string): Uint8Array | null {
  const [, base64] = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(text) ?? []
  return base64 === undefined ? null : new Uint8Array(Buffer.from(base64, 'base64'))
}

function readMail(settings: SettingsReader, privateHosts: ReadonlySet<string>): MailConfig | null {
  const text = settings.secret('SEKISHO_NOTICES_SMTP')
  const from = readEmail(settings.text('SEKISHO_NOTICES_FROM') ?? '')?.email
  const owners = new Map<string, string>()
  for (const entry of settings.list('SEKISHO_NOTICES_OWNERS')) {
    const [owner = '', address = ''] = entry.split('=').map((part) => part.trim())
    const email = readEmail(address)?.email
    if (email === undefined || owner === '')
      settings.problems.push(problemOf('bad_notices_owner', JSON.stringify(entry)))
    else owners.set(owner, email)
  }
  if (text === undefined) return null
  const url = URL.parse(text)
  const isPlain = url !== null && url.pathname.length <= 1 && url.search + url.hash === ''
  if (from === undefined) settings.problems.push(problemOf('bad_notices_from'))
  if (!isPlain || !isAllowed(url, 'smtp', privateHosts)) {
    settings.problems.push(problemOf('bad_notices_smtp'))
    return null
  }
  return from === undefined ? null : { url, from, owners }
}

/** `smtp:` is encrypted by STARTTLS, which a host of the operator's own network alone may lack. */
function isAllowed(
  { protocol, hostname }: URL,
  scheme: 'http' | 'smtp',
  privateHosts: ReadonlySet<string>,
): boolean {
  if (hostname === '') return false
  const isEncrypted = protocol === `${scheme}s:` || protocol === 'smtp:'
  return (
    protocol.startsWith(scheme) && (isEncrypted || (protocol === `${scheme}:` && privateHosts.has(hostname)))
  )
}

import type { Message } from '@sekisho/contract/language'
import type { AccessPolicy } from '../access/policy.ts'
import { readPolicyText } from '../access/policy-source.ts'
import { isTrustedPeer, LOOPBACK_HOSTS } from '../kernel/client/client-address.ts'
import type { Log } from '../kernel/monitoring/log.ts'
import { readHosts } from '../storage/database/hosts.ts'
import { problemOf } from '../texts/index.ts'
import { type GateConfig, REFUSED_RISKS, type RefusedRisk, type Risk } from './gate-config.ts'
import { ConfigError, type Environment, type ReadFile, type SettingsReader } from './settings.ts'

type SettledConfig = Omit<GateConfig, 'risks'>

/** Domains with free registration, which would admit all the world. */
const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.jp hotmail.com hotmail.co.jp live.com live.jp msn.com icloud.com me.com
   mac.com yahoo.com yahoo.co.jp ymail.ne.jp ymail.com aol.com aol.jp proton.me protonmail.com pm.me gmx.com gmx.net gmx.de
   web.de mail.com mail.ru yandex.com yandex.ru qq.com 163.com 126.com naver.com daum.net hanmail.net zoho.com tutanota.com
   fastmail.com hey.com excite.co.jp goo.jp mail.goo.ne.jp nifty.com biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp
   docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp vodafone.ne.jp ymobile.ne.jp yahoo.ne.jp rakuten.jp
   rakumail.jp uqmobile.jp wcm.ne.jp`.split(/\s+/),
)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST = [
  ['SEKISHO_REVALIDATION_INTERVAL', 'revalidationIntervalMs', HOUR_MS, '1h', 'harm_of_interval'],
  ['SEKISHO_REVALIDATION_GRACE', 'revalidationGraceMs', DAY_MS, '24h', 'harm_of_grace'],
  ['SEKISHO_SESSION_IDLE', 'idleMs', 30 * DAY_MS, '30d', 'harm_of_idle'],
  ['SEKISHO_SESSION_ABSOLUTE', 'absoluteMs', 90 * DAY_MS, '90d', 'risk_absolute'],
] as const
const MINUTE_MS = 60_000
const SHORTEST = [
  ['SEKISHO_REVALIDATION_INTERVAL', 'revalidationIntervalMs', MINUTE_MS / 2, '30s', 'harm_of_short_interval'],
  ['SEKISHO_REVALIDATION_GRACE', 'revalidationGraceMs', MINUTE_MS, '1m', 'harm_of_short_grace'],
  ['SEKISHO_SESSION_IDLE', 'idleMs', 5 * MINUTE_MS, '5m', 'harm_of_short_idle'],
] as const

/** Widest accepted blocks: wider ones contain foreign addresses; those of large content networks are narrower. */
const WIDEST_BITS = { IPv4: 8, IPv6: 19 }

/** Finds the risks of a configuration, and which of them the operator accepts by name. */
export function readRisks(
  config: SettledConfig,
  env: Environment,
  settings: SettingsReader,
  readFile: ReadFile,
): readonly Risk[] {
  const accepted = settings.list('SEKISHO_ACCEPT_RISKS')
  const unknown = accepted.filter((name) => !REFUSED_RISKS.some((code) => code === name))
  if (unknown.length > 0) {
    settings.problems.push(problemOf('unknown_risk', JSON.stringify(unknown[0]), REFUSED_RISKS))
  }
  return findRiskySettings(config, env, readFile).map(([code, problem]) => {
    return { code, problem, isAccepted: code !== null && accepted.includes(code) }
  })
}

/** Says every risk in the log. Throws {@link ConfigError} unless each that is refused was accepted by name. */
export function refuseRisks({ risks }: Pick<GateConfig, 'risks'>, log: Log): void {
  for (const { code, problem, isAccepted } of risks)
    log('error', 'risky_setting', { code, problem: String(problem), isAccepted })
  const refused = risks.filter(({ code, isAccepted }) => code !== null && !isAccepted)
  if (refused.length === 0) return
  const codes = [...new Set(refused.map(({ code }) => String(code)))]
  throw new ConfigError([...refused.map(({ problem }) => problem), problemOf('risks_not_accepted', codes)])
}

/**
 * Finds risks of production, where the origin is https and the gate speaks plain HTTP, so a proxy stands in front: unless it is named, all
 * its clients share one address, in limits and trail. Local mode is exempt.
 */
function findRiskySettings(
  config: SettledConfig,
  env: Environment,
  readFile: ReadFile,
): readonly (readonly [code: RefusedRisk | null, problem: Message])[] {
  if (config.mode === 'local') return []
  const problems: [RefusedRisk | null, Message][] = [...findProxyProblems(config)]
  for (const host of findClearDatabases(config))
    problems.push(['clear-database', problemOf('clear_database', host)])
  const { protocol, hostname } = URL.parse(config.embeddings?.url ?? '') ?? {}
  if (protocol === 'http:' && hostname !== undefined && !LOOPBACK_HOSTS.has(hostname))
    problems.push(['clear-embeddings', problemOf('clear_embeddings', hostname)])
  for (const problem of findPublicMailDomains(config.access, readFile))
    problems.push(['public-mail', problem])
  for (const [name, key, maxMs, text, harm] of LONGEST) {
    if (config.sessions[key] > maxMs)
      problems.push([null, problemOf('too_long', name, text, problemOf(harm))])
  }
  for (const [name, key, minMs, text, harm] of SHORTEST) {
    if (config.sessions[key] < minMs)
      problems.push([null, problemOf('risky_short', name, text, problemOf(harm))])
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    problems.push(['unchecked-tls', problemOf('unchecked_tls')])
  }
  return problems
}

function findProxyProblems({
  trustedProxies,
  listen: { host },
  origin,
}: SettledConfig): readonly [RefusedRisk, Message][] {
  const { rules } = trustedProxies
  if (rules.length === 0) {
    return [['no-proxy', problemOf('no_proxy', origin?.host ?? problemOf('origin_label'))]]
  }
  if (LOOPBACK_HOSTS.has(host) && !['127.0.0.1', '::1'].some((peer) => isTrustedPeer(peer, trustedProxies)))
    return [['no-proxy', problemOf('proxy_elsewhere', host)]]
  return rules.flatMap((rule) => {
    const [, family = '', block = '', bits = ''] = /(IPv[46]) (\S+)\/(\d+)$/.exec(rule) ?? []
    const widest = family === 'IPv6' ? WIDEST_BITS.IPv6 : WIDEST_BITS.IPv4
    if (bits === '' || Number(bits) >= widest) return []
    return [['wide-proxies', problemOf('wide_proxies', `${block}/${bits}`)]]
  })
}

/** Databases on other machines that are spoken to in the clear. */
function findClearDatabases({ databaseUrl, databaseListenUrl }: SettledConfig): readonly string[] {
  const urls = [databaseUrl, databaseListenUrl].flatMap((text) => readHosts(text ?? '').urls ?? [])
  const hosts = urls.map((text) => {
    const { searchParams, hostname } = new URL(text)
    return searchParams.get('sslmode') === 'disable' ? (searchParams.get('host') ?? hostname) : '/'
  })
  return [...new Set(hosts)].filter(
    (host) => host !== '' && !host.startsWith('/') && !LOOPBACK_HOSTS.has(host),
  )
}

/** Domains of a policy with free registration; single addresses there are a deliberate choice. */
function findPublicMailDomains(access: GateConfig['access'], readFile: ReadFile): readonly Message[] {
  const policy = 'file' in access ? readPolicyFile(access.file, readFile) : access.policy
  return [...(policy?.domains ?? [])]
    .filter((domain) => PUBLIC_MAIL_DOMAINS.has(domain))
    .map((domain) => problemOf('public_mail', domain))
}

/** Reads the policy; null when unreadable, which admits no reader. */
function readPolicyFile(file: string, readFile: ReadFile): AccessPolicy | null {
  try {
    return readPolicyText(readFile(file)).policy
  } catch {
    return null
  }
}

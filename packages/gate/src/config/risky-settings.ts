import type { AccessPolicy } from '../access/policy.ts'
import { readPolicyText } from '../access/policy-source.ts'
import type { Log } from '../observability/log.ts'
import { type GateConfig, REFUSED_RISKS, type RefusedRisk, type Risk } from './gate-config.ts'
import { ConfigError, type Environment, type SettingsReader } from './settings.ts'

type SettledConfig = Omit<GateConfig, 'risks'>

/** Anybody can have an address there within a minute, so such a domain admits everybody. */
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
  ['SEKISHO_REPROOF_INTERVAL', 'reproofIntervalMs', HOUR_MS, '1h', 'a disabled account stays in as long'],
  ['SEKISHO_REPROOF_GRACE', 'reproofGraceMs', DAY_MS, '24h', 'nobody is proven for as long in an outage'],
  ['SEKISHO_SESSION_IDLE', 'idleMs', 30 * DAY_MS, '30d', 'a browser left alone stays signed in as long'],
  ['SEKISHO_SESSION_ABSOLUTE', 'absoluteMs', 90 * DAY_MS, '90d', 'a stolen session works as long'],
] as const

/** Blocks this wide hold somebody else's addresses; those of the large content networks are narrower. */
const WIDEST_BITS = { IPv4: 8, IPv6: 19 }

/** Finds the risks of a configuration, and which of them the operator accepts by name. */
export function readRisks(
  config: SettledConfig,
  env: Environment,
  settings: SettingsReader,
  readFile: (path: string) => string,
): readonly Risk[] {
  const accepted = settings.list('SEKISHO_ACCEPT_RISKS')
  const unknown = accepted.filter((name) => !REFUSED_RISKS.some((code) => code === name))
  if (unknown.length > 0) {
    settings.problems.push(
      `SEKISHO_ACCEPT_RISKS: ${JSON.stringify(unknown[0])} is none of ${REFUSED_RISKS.join(', ')}`,
    )
  }
  return findRiskySettings(config, env, readFile).map(([code, problem]) => {
    return { code, problem, isAccepted: code !== null && accepted.includes(code) }
  })
}

/** Says every risk in the log. Throws {@link ConfigError} unless each that is refused was accepted by name. */
export function refuseRisks({ risks }: Pick<GateConfig, 'risks'>, log: Log): void {
  for (const { code, problem, isAccepted } of risks)
    log('error', 'risky_setting', { code, problem, isAccepted })
  const refused = risks.filter(({ code, isAccepted }) => code !== null && !isAccepted)
  if (refused.length === 0) return
  const codes = [...new Set(refused.map(({ code }) => code))].join(',')
  throw new ConfigError([
    ...refused.map(({ problem }) => problem),
    `the gate does not start like this; if it is what you want nevertheless, set SEKISHO_ACCEPT_RISKS=${codes}`,
  ])
}

/**
 * In production the origin is https and the gate speaks plain HTTP, so a proxy always stands in front of it: unless it is
 * named, everybody who comes through it has its address, in the limits and in the audit trail. Local mode has nothing to lose.
 */
function findRiskySettings(
  config: SettledConfig,
  env: Environment,
  readFile: (path: string) => string,
): readonly (readonly [code: RefusedRisk | null, problem: string])[] {
  if (config.mode === 'local') return []
  const problems: [RefusedRisk | null, string][] = [...findProxyProblems(config)]
  for (const problem of findPublicMailDomains(config.access, readFile))
    problems.push(['public-mail', problem])
  for (const [name, key, maxMs, text, harm] of LONGEST) {
    if (config.sessions[key] > maxMs)
      problems.push([null, `${name} must not be longer than ${text}: ${harm}`])
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    problems.push([
      'unchecked-tls',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the network pose as the identity service: unset it; a certificate authority of your own is named with NODE_EXTRA_CA_CERTS',
    ])
  }
  return problems
}

function findProxyProblems({
  trustedProxies: { rules },
  origin,
}: SettledConfig): readonly [RefusedRisk, string][] {
  if (rules.length === 0) {
    return [
      [
        'no-proxy',
        `SEKISHO_TRUSTED_PROXIES must name the proxy that speaks https for ${origin?.host ?? 'the origin'}: without it everybody has the proxy's address, and one flood locks all of them out`,
      ],
    ]
  }
  return rules.flatMap((rule) => {
    const [, family = '', block = '', bits = ''] = /(IPv[46]) (\S+)\/(\d+)$/.exec(rule) ?? []
    const widest = family === 'IPv6' ? WIDEST_BITS.IPv6 : WIDEST_BITS.IPv4
    if (bits === '' || Number(bits) >= widest) return []
    return [
      [
        'wide-proxies',
        `SEKISHO_TRUSTED_PROXIES must not hold ${block}/${bits}: anybody in it may claim any address; name the addresses of your proxies`,
      ],
    ]
  })
}

/** Domains of a policy that admit everybody; single addresses there are somebody's choice. */
function findPublicMailDomains(
  access: GateConfig['access'],
  readFile: (path: string) => string,
): readonly string[] {
  const policy = 'file' in access ? readPolicyFile(access.file, readFile) : access.policy
  return [...(policy?.domains ?? [])]
    .filter((domain) => PUBLIC_MAIL_DOMAINS.has(domain))
    .map(
      (domain) =>
        `${domain} is a public mail service, so the policy would admit everybody: name single addresses instead (SEKISHO_ALLOWED_EMAILS, or "emails" in the policy file)`,
    )
}

/** Null when it cannot be read: then nobody is admitted. */
function readPolicyFile(file: string, readFile: (path: string) => string): AccessPolicy | null {
  try {
    return readPolicyText(readFile(file)).policy
  } catch {
    return null
  }
}

import { STATUS_CODES } from 'node:http'
import { cookieNames } from '@sekisho/contract/cookies'
import { loginDocument, loginPolicy } from '@sekisho/contract/login-document'
import { LOGIN_CONFIG_ID, type LoginConfig, readLoginConfig } from '@sekisho/contract/login-page'
import { misdirectedText } from '@sekisho/contract/problems'
import { DEFAULT_HEADERS } from '@sekisho/contract/response-headers'
import { findHeader, type HeaderLine } from '../../client/request.ts'
import { decodeBody, type WireResponse } from '../../client/response.ts'
import type { Verdict } from './judge.ts'
import type { KnownAnswer } from './known-answers.ts'
import type { Reference } from './reference.ts'

/**
 * Holds an answer to a stranger against what this product says by itself, byte for byte: its body, and, where no proxy is in between, each
 * of its headers. So whatever else a refusal says is noticed without a list of what that might be.
 */
export interface OwnAnswers {
  readonly judge: (answer: KnownAnswer) => readonly Verdict[]
}

export interface OwnAnswersOptions {
  readonly reference: Pick<Reference, 'pinned' | 'login' | 'site' | 'headerLines'>
  readonly host: string
  readonly behindProxy: boolean
}

/** Headers whose values depend on the answer, or on who may have kept a cookie; nothing of a release has this form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  date: /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  'content-length': /^\d{1,9}$/,
  'content-encoding': /^(?:br|gzip|zstd)$/,
  connection: /^(?:close|keep-alive)$/,
  'keep-alive': /^timeout=\d+$/,
  'retry-after': /^\d{1,6}$/,
  allow: /^[A-Z]+(?:, [A-Z]+)*$/,
  vary: /^(?:(?:Accept-Encoding|Origin), )?Cookie$/,
  'clear-site-data': /^"cache"$/,
  'set-cookie': clearedCookie(),
}

/** The login page's configuration, and what stands around it. */
const CONFIG = new RegExp(`^(.*id="${LOGIN_CONFIG_ID}">)(.*?)(</script>.*)$`, 's')

/** A cookie of the product's that is taken back: without a value, and with no time left. */
function clearedCookie(): RegExp {
  const names = [true, false].flatMap((isHttps) => Object.values(cookieNames(isHttps)))
  return new RegExp(`^(?:${names.join('|')})=; Path=/; Max-Age=0; SameSite=\\w+(?:; Secure)?(?:; HttpOnly)?$`)
}

export function createOwnAnswers({ reference, host, behindProxy }: OwnAnswersOptions): OwnAnswers {
  const known = new Map<number, readonly Verdict[]>()
  const misdirected = new Set(['http', 'https'].map((scheme) => misdirectedText(`${scheme}://${host}`)))

  function judgeResponse(response: WireResponse, bodySha256: string): Verdict[] {
    const text = (decodeBody(response) ?? response.body).toString('utf8')
    const login = readLoginPage(text)
    const isOwn = text === '' || login !== null || reference.pinned.has(bodySha256) || misdirected.has(text)
    const verdicts: Verdict[] = []
    // The document of a fault holds the request's id; that it could be caused is a finding by itself.
    if (!isOwn && response.status < 500)
      verdicts.push({
        rule: 'not-pinned',
        detail: `${response.status} with a body that this product does not send`,
      })
    return behindProxy ? verdicts : [...verdicts, ...judgeHeaders(response, login)]
  }

  /** What the gate was told to show there, if all of the body but its configuration is the login page to the last byte. */
  function readLoginPage(text: string): LoginConfig | null {
    const [, before = '', json = '', after = ''] = CONFIG.exec(text) ?? []
    if (json === '') return null
    try {
      const config = readLoginConfig(json)
      const { title, tagline } = reference.site
      const [, ownBefore, , ownAfter] = CONFIG.exec(loginDocument(config, reference.login)) ?? []
      const isSite = config.site.title === title && config.site.tagline === tagline
      return isSite && before === ownBefore && after === ownAfter ? config : null
    } catch {
      return null
    }
  }

  function judgeHeaders(response: WireResponse, login: LoginConfig | null): Verdict[] {
    const policy = login === null ? null : loginPolicy(login, host)
    const isOwn = ([name, value]: HeaderLine) => {
      const lower = name.toLowerCase()
      const isForm = FORMS[lower]?.test(value) === true
      const isPolicy = lower === 'content-security-policy' && value === policy
      return isForm || isPolicy || reference.headerLines.has(`${lower}: ${value}`)
    }
    const foreign = [...response.headers, ...response.interim].find((line) => !isOwn(line))
    const missing = DEFAULT_HEADERS.find(([name]) => findHeader(response.headers, name) === null)
    const isUsual = response.reason === '' || response.reason === STATUS_CODES[response.status]
    return [
      ...(foreign === undefined ? [] : [verdict('unknown-header', foreign.join(': '))]),
      ...(isUsual ? [] : [verdict('unknown-header', `the reason phrase "${response.reason}"`)]),
      ...(missing === undefined ? [] : [verdict('missing-header', missing[0])]),
    ]
  }

  return {
    judge({ id, outcome, bodySha256 }) {
      if (outcome.kind !== 'response') return []
      const found = known.get(id) ?? judgeResponse(outcome.response, bodySha256)
      known.set(id, found)
      return found
    },
  }
}

const verdict = (rule: Verdict['rule'], detail: string): Verdict => ({ rule, detail })

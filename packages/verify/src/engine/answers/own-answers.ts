import { STATUS_CODES } from 'node:http'
import { loginPolicy } from '@sekisho/contract/login-document'
import type { LoginConfig } from '@sekisho/contract/login-page'
import { misdirectedText } from '@sekisho/contract/problems'
import { DEFAULT_HEADERS } from '@sekisho/contract/response-headers'
import { findHeader, type HeaderLine } from '../../client/request.ts'
import { decodeBody, type WireResponse } from '../../client/response.ts'
import { isOwnHeader } from './header-forms.ts'
import type { Verdict } from './judge.ts'
import type { KnownAnswer } from './known-answers.ts'
import { readLoginPage } from './login-answer.ts'
import type { Reference } from './reference.ts'

/**
 * Holds an answer to a stranger against what this product says by itself, byte for byte: its body, and, where no proxy is in between, each
 * of its headers. So whatever else a refusal says is noticed without a list of what that might be.
 */
interface OwnAnswers {
  readonly judge: (answer: KnownAnswer) => readonly Verdict[]
}

interface OwnAnswersOptions {
  readonly reference: Pick<Reference, 'pinned' | 'login' | 'site' | 'headerLines'>
  readonly host: string
  readonly behindProxy: boolean
}

export function createOwnAnswers({ reference, host, behindProxy }: OwnAnswersOptions): OwnAnswers {
  const known = new Map<number, readonly Verdict[]>()
  const misdirected = new Set(['http', 'https'].map((scheme) => misdirectedText(`${scheme}://${host}`)))

  function judgeResponse(response: WireResponse, bodySha256: string): Verdict[] {
    const text = (decodeBody(response) ?? response.body).toString('utf8')
    const login = readOwnLogin(text)
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

  function readOwnLogin(text: string): LoginConfig | null {
    const config = readLoginPage(text, reference.login)
    const { title, tagline } = reference.site
    return config?.site.title === title && config.site.tagline === tagline ? config : null
  }

  function judgeHeaders(response: WireResponse, login: LoginConfig | null): Verdict[] {
    const policy = login === null ? null : loginPolicy(login, host)
    const isPolicy = ([name, value]: HeaderLine) =>
      name.toLowerCase() === 'content-security-policy' && value === policy
    const isOwn = (line: HeaderLine) => isPolicy(line) || isOwnHeader(line, reference.headerLines)
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

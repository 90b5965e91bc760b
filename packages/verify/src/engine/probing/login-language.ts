import { pickLanguage } from '@sekisho/contract/language'
import { LOGIN_CONFIG_ID } from '@sekisho/contract/login-page'
import { decodeBody, type WireOutcome } from '../../client/response.ts'
import { describeRequest, type FindingList } from '../answers/findings.ts'
import type { Probe } from './probes.ts'
import type { VerifyOptions } from './run.ts'
import { findLocale } from './targets.ts'

/**
 * Compares a login page's language with the one its address calls for: the locale in the path, else the operator's choice (decisions/118).
 * Null for `loginLanguage` skips paths below no further locale.
 */
export function judgeLanguage(
  { request, row, target }: Probe,
  outcome: WireOutcome,
  { release, loginLanguage }: Pick<VerifyOptions, 'release' | 'loginLanguage'>,
  findings: FindingList,
): void {
  const locale = findLocale(release.locales, target.path)
  const wanted = locale === null ? loginLanguage : pickLanguage(locale.tag)
  const found = languageOf(outcome)
  if (wanted === null || found === null || found === wanted) return
  findings.add({
    rule: 'login-language',
    request: describeRequest(request),
    row,
    detail: `the login page in "${found}" where "${wanted}" is due`,
  })
}

/** The language a login page says it is in; null for any other answer, such as the door of a preview. */
function languageOf(outcome: WireOutcome): string | null {
  if (outcome.kind !== 'response') return null
  const html = (decodeBody(outcome.response) ?? Buffer.alloc(0)).toString('utf8')
  if (!html.includes(`id="${LOGIN_CONFIG_ID}"`)) return null
  return /^<!doctype html>\s*<html lang="([^"]*)"/.exec(html)?.[1] ?? ''
}

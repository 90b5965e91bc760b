import { pickLanguage } from '@sekisho/contract/language'
import { LOGIN_CONFIG_ID } from '@sekisho/contract/login-page'
import { decodeBody, type WireOutcome } from '../client/response.ts'
import { describeRequest, type Finding, type FindingList } from './answers/findings.ts'
import { askTogether } from './phases/crowd-phase.ts'
import { askRawBytes } from './phases/raw-phase.ts'
import { askBehindReader, type SignedIn } from './phases/reader-phase.ts'
import { askAfterSignOut, askWithToken } from './phases/session-phase.ts'
import { askRoutes, listSurface, type SurfaceEntry } from './phases/surface.ts'
import { isPlainRow, PLAIN_NAVIGATION, type Probe, planProbes } from './probing/probes.ts'
import { createRun, type Run, type Totals, type VerifyOptions } from './probing/run.ts'
import { findLocale } from './probing/targets.ts'

/** Result of a verification. The gate is closed when `findings` is empty. */
export interface VerifyReport extends Totals {
  readonly findings: readonly Finding[]
  readonly surface: readonly SurfaceEntry[]
  readonly files: number
  /** Files that a reader read before a stranger requested them; null without a reader. */
  readonly signedIn: SignedIn | null
}

/** Asks a gate, without a session, for everything of a release in every way, and holds each answer against it. */
export async function verifyGate(options: VerifyOptions): Promise<VerifyReport> {
  const run = createRun(options)
  run.enter('reading')
  const { reader } = options
  const signedIn = reader === null ? null : await askBehindReader(run, reader)
  run.enter('tables')
  await askTables(run)
  run.enter('crowd')
  await askTogether(run)
  run.enter('raw bytes')
  await askRawBytes(run)
  run.enter('surface')
  const surface = await listSurface(run)
  await askRoutes(run)
  run.enter('sessions')
  if (reader !== null) await askWithToken(run, reader.cookie)
  if (reader?.ends !== undefined) await askAfterSignOut(run, reader.ends)
  run.enter('comparing')
  run.finish()
  return {
    findings: run.findings.all(),
    surface,
    files: options.release.files.size,
    signedIn,
    ...run.totals(),
  }
}

async function askTables(run: Run): Promise<void> {
  const { client, effort } = run.options
  await client.exchangeAll(planProbes(run.targets, effort), (probe, outcome) => {
    const answer = run.take(probe, outcome)
    run.uniformity.note(probe, answer)
    if (probe.row === PLAIN_NAVIGATION) judgeLanguage(probe, outcome, run.options, run.findings)
    if (!probe.target.exists && isPlainRow(probe.row)) run.refusals.add(answer.id)
  })
}

/**
 * Compares a login page's language with the one its address calls for: the locale in the path, else the operator's choice (decisions/118).
 * Null for `loginLanguage` skips paths below no further locale.
 */
function judgeLanguage(
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

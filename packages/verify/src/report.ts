import { type Language, type MessageOrText, sayIn } from '@sekisho/contract/language'
import {
  HEADER_ROWS,
  METHOD_ROWS,
  PARAMETER_ROWS,
  PATH_ROWS,
  RAW_ROWS,
  SIDE_DOOR_ROWS,
} from './catalogue/threats.ts'
import type { Finding, Rule } from './engine/answers/findings.ts'
import type { LoginControl } from './engine/answers/login-answer.ts'
import type { EditionReport } from './engine/editions/edition-check.ts'
import type { SurfaceEntry } from './engine/phases/surface.ts'
import type { Progress } from './engine/probing/run.ts'
import type { VerifyReport } from './engine/verify-gate.ts'
import { en } from './texts/en.ts'
import { meaningOf, phaseOf, reportOf } from './texts/index.ts'

/** Facts about the run itself. */
interface RunFacts {
  readonly releaseId: string
  readonly url: string
  /** The login page as it was found; null where `/` shows something else without a session. */
  readonly loginPage?: LoginControl | null
  readonly seconds: number
}

const MAX_SURFACE = 24

/** The report as one screen of text. */
export function formatReport(report: VerifyReport, facts: RunFacts, language: Language): string {
  const { findings, surface, files, requests, differentAnswers, proxy, signedIn } = report
  const tables = {
    paths: PATH_ROWS.length,
    methods: METHOD_ROWS.length,
    headers: HEADER_ROWS.length,
    parameters: PARAMETER_ROWS.length,
    rawRequests: RAW_ROWS.length,
    sideDoors: SIDE_DOOR_ROWS.length,
  }
  const lines: readonly MessageOrText[] = [
    reportOf('heading', facts.releaseId, files, facts.url),
    reportOf('asked', requests, facts.seconds.toFixed(1)),
    reportOf('tables', tables),
    ...(signedIn === null ? [] : [reportOf('behind_reader', signedIn.files)]),
    reportOf('answers', differentAnswers),
    ...controlLines(report, facts),
    ...(proxy.requests === 0 ? [] : [reportOf('refused_by_proxy', proxy.requests, proxy.rows)]),
    '',
    reportOf('surface', surface.length),
    ...surface.slice(0, MAX_SURFACE).map(surfaceLine),
    ...(surface.length > MAX_SURFACE ? [reportOf('more', surface.length - MAX_SURFACE)] : []),
    '',
    ...rulesBroken(findings),
    conclusion(report, facts),
  ]
  return linesIn(lines, language)
}

function controlLines({ signedIn }: VerifyReport, { loginPage }: RunFacts): readonly MessageOrText[] {
  return [
    ...(loginPage
      ? [reportOf('login_control', loginPage.status, loginPage.bytes, loginPage.site?.title ?? '')]
      : []),
    ...(signedIn?.page == null ? [] : [reportOf('reader_control', signedIn.page)]),
  ]
}

function conclusion(report: VerifyReport, facts: RunFacts): MessageOrText {
  if (report.findings.length > 0) return reportOf('not_closed', report.findings.length)
  return isProven(report, facts) ? reportOf('closed') : reportOf('nothing_verified')
}

/**
 * Tells if both positive controls were found: without them the absence of leaks proves nothing. Pages of a preview carry its
 * notice and differ from the release, so any file read with the session counts there.
 */
export const isProven = ({ signedIn }: VerifyReport, { loginPage }: RunFacts): boolean =>
  loginPage !== null && signedIn != null && (signedIn.page !== null || loginPage?.site === null)

/** Formats the report on one edition's reader. */
export function formatEditionReport(report: EditionReport, facts: RunFacts, language: Language): string {
  const { edition, findings, requests, read, hidden, shown } = report
  const lines: readonly MessageOrText[] = [
    reportOf('edition_heading', facts.releaseId, edition),
    reportOf('edition_requests', requests, facts.seconds.toFixed(1)),
    reportOf('edition_files', read),
    reportOf('edition_hidden', hidden, shown),
    '',
    ...rulesBroken(findings),
    findings.length === 0 ? reportOf('closed_edition', edition) : reportOf('not_closed', findings.length),
  ]
  return linesIn(lines, language)
}

const linesIn = (lines: readonly MessageOrText[], language: Language): string =>
  lines.map((line) => sayIn(line, language)).join('\n')

/** The report for machines; the shape is versioned. */
export function jsonReport(report: VerifyReport | EditionReport, facts: RunFacts): string {
  const closed = report.findings.length === 0 && (!('signedIn' in report) || isProven(report, facts))
  return JSON.stringify({ format: 1, closed, ...facts, ...report }, null, 2)
}

function surfaceLine({ path, status, bytes, sha256, kind }: SurfaceEntry): string {
  return `  ${status}  ${kind.padEnd(8)} ${String(bytes).padStart(8)} B  ${sha256.slice(0, 16)}  ${path}`
}

function rulesBroken(findings: readonly Finding[]): readonly MessageOrText[] {
  return (Object.keys(en.meanings) as Rule[]).flatMap((rule) => ruleLines(rule, findings)) // proven by its type
}

/** One rule in three lines: how often it was broken, and the first request that shows it. */
function ruleLines(rule: Rule, findings: readonly Finding[]): readonly MessageOrText[] {
  const broken = findings.filter((finding) => finding.rule === rule)
  const [first] = broken
  if (first === undefined) return []
  const requests = broken.reduce((sum, { count }) => sum + count, 0)
  return [
    reportOf('broken', meaningOf(rule), requests, first.row),
    `    ${first.request}`,
    `    ${first.detail}`,
  ]
}

const LINE_EVERY_MS = 5_000
const TERMINAL_EVERY_MS = 200

/** Shows where a run is: one line rewritten on a terminal, a line every few seconds elsewhere. */
export function createProgress(stream: NodeJS.WriteStream, elapsed: () => number, language: Language) {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let phase = ''
  return {
    show(progress: Progress): void {
      const everyMs = stream.isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS
      if (progress.phase === phase && elapsed() - shownAtMs < everyMs) return
      shownAtMs = elapsed()
      phase = progress.phase
      const seconds = (elapsed() / 1_000).toFixed(0)
      const text = reportOf('progress', phaseOf(progress.phase), progress.requests, seconds).in(language)
      stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    },
    clear(): void {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

import {
  HEADER_ROWS,
  METHOD_ROWS,
  PARAMETER_ROWS,
  PATH_ROWS,
  RAW_ROWS,
  SIDE_DOOR_ROWS,
} from './catalogue/threats.ts'
import type { Finding, Rule } from './engine/answers/findings.ts'
import type { EditionReport } from './engine/editions/edition-check.ts'
import type { SurfaceEntry } from './engine/phases/surface.ts'
import type { Progress } from './engine/probing/run.ts'
import type { VerifyReport } from './engine/verify-gate.ts'

/** What the report says about the run itself. */
export interface RunFacts {
  readonly releaseId: string
  readonly url: string
  readonly seconds: number
}

const MAX_SURFACE = 24

/** What each rule means, worst first. */
const MEANING: Readonly<Record<Rule, string>> = {
  'protected-text': 'text of the release was sent',
  'page-title': 'a page title was sent',
  'file-name': 'a file name was sent',
  answered: 'success without a session',
  redirected: 'a redirect without a session',
  validator: 'a header describes content',
  cacheable: 'an answer may be kept by a cache',
  fault: 'a stranger can cause a fault',
  'no-answer': 'no answer in time',
  unreadable: 'an answer cannot be read, so it cannot be cleared',
  'not-uniform': 'what exists is answered otherwise than what does not',
  'login-language': 'the login page is not in the language of its address',
  'second-answer': 'one request drew two answers',
  'not-pinned': 'an answer is not this product’s own',
  'unknown-header': 'an answer has a header that this product does not send',
  'missing-header': 'an answer lacks a security header',
  'cross-site': 'another site may load what a reader may read',
  'other-edition': 'a reader was sent what only another edition holds',
  'no-control': 'a reader of the other edition was not sent it either, so its absence proves nothing',
  'session-lives': 'a session lives on after its reader signed out',
}

/** The report as one screen of text. */
export function formatReport(report: VerifyReport, facts: RunFacts): string {
  const { findings, surface, files, requests, differentAnswers, proxy, filesRead } = report
  const count = (number: number) => number.toLocaleString('en')
  const rows = `${PATH_ROWS.length} forms of a path, ${METHOD_ROWS.length} methods, ${HEADER_ROWS.length} header rows, ${PARAMETER_ROWS.length} parameters, ${RAW_ROWS.length} raw requests, ${SIDE_DOOR_ROWS.length} side doors`
  return [
    `Release ${facts.releaseId} (${count(files)} files) behind ${facts.url}`,
    `  asked without a session   ${count(requests)} times in ${facts.seconds.toFixed(1)} s`,
    `  in every way of           ${rows}`,
    ...(filesRead === null
      ? []
      : [`  asked behind a reader     who had just read ${count(filesRead)} of the files`]),
    `  different answers         ${count(differentAnswers)}`,
    ...(proxy.requests === 0
      ? []
      : [
          `  refused by the proxy      ${count(proxy.requests)} requests of ${proxy.rows} rows, before the gate was asked`,
        ]),
    '',
    `Open to everybody: ${surface.length} addresses; every other address gets the same refusal`,
    ...surface.slice(0, MAX_SURFACE).map(surfaceLine),
    ...more(surface.length, MAX_SURFACE),
    '',
    ...rulesBroken(findings),
    verdictLine(findings),
  ].join('\n')
}

/** What a reader of one edition could find of the others, as text. */
export function formatEditionReport(report: EditionReport, facts: RunFacts): string {
  const count = (number: number) => number.toLocaleString('en')
  const { edition, findings, requests, read, hidden, shown } = report
  return [
    `Release ${facts.releaseId} as a reader of ${edition}`,
    `  asked                     ${count(requests)} times in ${facts.seconds.toFixed(1)} s`,
    `  files of the edition      ${count(read)} read`,
    `  held by other editions    ${count(hidden)}; of their files ${count(shown)} were sent to readers of these, as a control`,
    '',
    ...rulesBroken(findings),
    findings.length === 0
      ? `✔ Closed: nothing that only other editions hold is there for a reader of ${edition}.`
      : notClosed(findings),
  ].join('\n')
}

/** The report for machines; the shape is versioned. */
export function jsonReport(report: VerifyReport | EditionReport, facts: RunFacts): string {
  return JSON.stringify({ format: 1, closed: report.findings.length === 0, ...facts, ...report }, null, 2)
}

function surfaceLine({ path, status, bytes, sha256, kind }: SurfaceEntry): string {
  return `  ${status}  ${kind.padEnd(8)} ${String(bytes).padStart(8)} B  ${sha256.slice(0, 16)}  ${path}`
}

function rulesBroken(findings: readonly Finding[]): string[] {
  return (Object.keys(MEANING) as Rule[]).flatMap((rule) => ruleLines(rule, findings)) // proven by its type
}

/** One rule in three lines: how often it was broken, and the first request that shows it. */
function ruleLines(rule: Rule, findings: readonly Finding[]): string[] {
  const broken = findings.filter((finding) => finding.rule === rule)
  const [first] = broken
  if (first === undefined) return []
  const requests = broken.reduce((sum, { count }) => sum + count, 0)
  return [
    `✖ ${MEANING[rule]}: ${requests} requests, such as (${first.row})`,
    `    ${first.request}`,
    `    ${first.detail}`,
  ]
}

function more(total: number, shown: number): string[] {
  return total > shown ? [`  … and ${total - shown} more (--json lists all)`] : []
}

function verdictLine(findings: readonly Finding[]): string {
  if (findings.length === 0) return '✔ Closed: nothing of the release left the gate.'
  return notClosed(findings)
}

const notClosed = (findings: readonly Finding[]) =>
  `✖ Not closed: ${findings.length} different findings; --json lists them all.`

const LINE_EVERY_MS = 5_000
const TERMINAL_EVERY_MS = 200

/** Shows where a run is: one line rewritten on a terminal, a line every few seconds elsewhere. */
export function createProgress(stream: NodeJS.WriteStream, elapsed: () => number) {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let phase = ''
  return {
    show(progress: Progress): void {
      const everyMs = stream.isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS
      if (progress.phase === phase && elapsed() - shownAtMs < everyMs) return
      shownAtMs = elapsed()
      phase = progress.phase
      const seconds = (elapsed() / 1_000).toFixed(0)
      const text = `verifying: ${progress.phase}, ${progress.requests.toLocaleString('en')} requests, ${seconds} s`
      stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    },
    clear(): void {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

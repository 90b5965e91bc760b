import headerRows from '../../threats/headers.json' with { type: 'json' }
import methodRows from '../../threats/methods.json' with { type: 'json' }
import parameterRows from '../../threats/parameters.json' with { type: 'json' }
import pathRows from '../../threats/paths.json' with { type: 'json' }
import rawRows from '../../threats/raw.json' with { type: 'json' }
import redirectRows from '../../threats/redirects.json' with { type: 'json' }
import sideDoorRows from '../../threats/side-doors.json' with { type: 'json' }
import type { HeaderLine } from '../client/request.ts'

/** One hostile request, named; `threat` is its row in the catalogue of docs/assurance.md. */
export interface ThreatRow {
  readonly threat: number
  readonly name: string
  /** Statuses an anonymous client may get; `closed` is a connection ended without an answer. */
  readonly anonymous: readonly (number | 'closed')[]
}
/** A way to write the path of a file. `signedIn` says what a reader may get for it. */
interface PathRow extends ThreatRow {
  readonly target: string
  readonly signedIn: SignedInResult
}
/**
 * `nothing`: never the file. `file`: the file is fine, its path is canonical. `redirect`: to the file at most. `refused`: a session does not
 * count here.
 */
type SignedInResult = 'nothing' | 'file' | 'redirect' | 'refused'
/** A method, with the headers and body that go with it. */
interface MethodRow extends ThreatRow {
  readonly method: string
  readonly headers: readonly HeaderLine[]
  readonly body: string | undefined
}
/** Header lines; `target` names another path than the file's own to send them to. */
export interface HeaderRow extends ThreatRow {
  readonly headers: readonly HeaderLine[]
  readonly target: string
}
/** A parameter behind a path that some product gives a meaning to; `value` is a template. */
export interface ParameterRow extends ThreatRow {
  readonly parameter: string
  readonly value: string
}
/** Bytes that no HTTP library would send. */
export interface RawRow extends ThreatRow {
  readonly bytes: string
  readonly maxAnswers: number
}
/** An address where other products keep something that speaks of the content. */
interface SideDoorRow extends ThreatRow {
  readonly target: string
}

/** A target that tries to send a reader elsewhere or to put markup into an answer. */
export type RedirectRow = Pick<SideDoorRow, 'threat' | 'name' | 'target'>

/** Default of rows whose data file names no expected answer. */
const REFUSED: ThreatRow['anonymous'] = [401]
const SIGNED_IN_RESULTS: ReadonlySet<string> = new Set(['nothing', 'file', 'redirect', 'refused'])

export const PATH_ROWS: readonly PathRow[] = pathRows.map((row) => ({
  ...readRow(row),
  target: row.target,
  signedIn: readSignedIn(row.signedIn),
}))
export const METHOD_ROWS: readonly MethodRow[] = methodRows.map((row) => ({
  ...readRow(row),
  method: row.method,
  headers: readLines(row.headers),
  body: row.body,
}))
export const HEADER_ROWS: readonly HeaderRow[] = headerRows.map((row) => ({
  ...readRow(row),
  headers: readLines(row.headers),
  target: row.target ?? '{path}',
}))
export const PARAMETER_ROWS: readonly ParameterRow[] = parameterRows.map(({ threat, parameter, value }) => ({
  ...readRow({ threat, name: `parameter ${parameter}` }),
  parameter,
  value,
}))
export const RAW_ROWS: readonly RawRow[] = rawRows.map((row) => ({
  ...readRow(row),
  bytes: row.bytes,
  maxAnswers: row.maxAnswers,
}))
export const SIDE_DOOR_ROWS: readonly SideDoorRow[] = sideDoorRows.map((row) => ({
  ...readRow(row),
  target: row.target,
}))

export const REDIRECT_ROWS: readonly RedirectRow[] = redirectRows

interface JsonRow {
  readonly threat: number
  readonly name: string
  readonly anonymous?: readonly (number | string)[] | undefined
}

function readRow(row: JsonRow): ThreatRow {
  const anonymous = row.anonymous?.map((result) => {
    if (typeof result === 'number' || result === 'closed') return result
    throw new RangeError(`threat row ${row.name}: ${result} is no result`)
  })
  return {
    threat: row.threat,
    name: row.name,
    anonymous: anonymous ?? REFUSED,
  }
}

function readLines(lines: readonly (readonly string[])[]): HeaderLine[] {
  return lines.map(([name = '', value = '']) => [name, value])
}

function readSignedIn(result: string): SignedInResult {
  if (SIGNED_IN_RESULTS.has(result)) return result as SignedInResult // proven by the line itself
  throw new RangeError(`${result} is no result for a signed-in reader`)
}

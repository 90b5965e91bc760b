import { fillTemplate } from '../../catalogue/template.ts'
import {
  HEADER_ROWS,
  type HeaderRow,
  METHOD_ROWS,
  PARAMETER_ROWS,
  PATH_ROWS,
  type ParameterRow,
  type ThreatRow,
} from '../../catalogue/threats.ts'
import { findHeader, type HeaderLine, type WireRequest } from '../../client/request.ts'
import { type Manner, mannerOf } from '../answers/proxy-answers.ts'
import type { Target, Targets } from './targets.ts'

/** One request to make, and the group within which every answer must be the same. */
export interface Probe {
  readonly request: WireRequest
  readonly group: string
  readonly row: string
  readonly manner: Manner
  readonly target: Target
}

/** Headers of a browser that opens a page. */
export const NAVIGATION: readonly HeaderLine[] = [
  ['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
]
const BACKGROUND: readonly HeaderLine[] = [['Accept', '*/*']]

export const PLAIN_NAVIGATION = 'plain navigation'
const PLAIN_REQUEST = 'plain request'

/** Tells ordinary requests of the tables, for which decoys get the ordinary refusal. */
export function isPlainRow(row: string): boolean {
  return row === PLAIN_NAVIGATION || row === PLAIN_REQUEST
}

/** Extent of a run: `quick` leaves out the products of tables. */
export type Effort = 'full' | 'quick'

/**
 * Every path under every row of the three tables, one row at a time; then the tables against each other on a
 * sample. Header rows go to every file in packs of lines that do not touch each other, and to the sample singly.
 */
export function* planProbes(targets: Targets, effort: Effort): Generator<Probe> {
  const everything = [...targets.files, ...targets.redirects, ...targets.decoys]
  const each = [...targets.files, ...targets.decoys]
  for (const target of everything) yield navigationTo(target)
  for (const target of everything) yield probe(target, PLAIN_REQUEST, '{path}', 'GET', BACKGROUND)
  for (const row of PATH_ROWS) {
    for (const target of each) yield probe(target, title(row), row.target, 'GET', BACKGROUND)
  }
  for (const row of METHOD_ROWS) {
    for (const target of each) yield probe(target, title(row), '{path}', row.method, row.headers, row.body)
  }
  for (const pack of packHeaders(HEADER_ROWS)) {
    for (const target of each) yield probe(target, pack.title, pack.target, 'GET', pack.headers)
  }
  for (const target of each) yield probe(target, 'all parameters', queryOf(PARAMETER_ROWS), 'GET', BACKGROUND)
  for (const row of PARAMETER_ROWS) {
    for (const target of targets.sample) yield probe(target, title(row), queryOf([row]), 'GET', NAVIGATION)
  }
  for (const row of HEADER_ROWS) {
    for (const target of targets.sample) yield probe(target, title(row), row.target, 'GET', row.headers)
  }
  if (effort === 'full') for (const target of targets.sample) yield* products(target)
}

/** The ordinary request for a page; its group is shared by all such requests. */
export function navigationTo(target: Target): Probe {
  return probe(target, PLAIN_NAVIGATION, '{path}', 'GET', NAVIGATION)
}

function* products(target: Target): Generator<Probe> {
  for (const path of PATH_ROWS) {
    for (const row of HEADER_ROWS.filter((one) => one.target === '{path}')) {
      yield probe(target, `${title(path)} × ${title(row)}`, path.target, 'GET', row.headers)
    }
    for (const row of METHOD_ROWS) {
      yield probe(target, `${title(path)} × ${title(row)}`, path.target, row.method, row.headers, row.body)
    }
  }
  for (const row of METHOD_ROWS) {
    for (const header of HEADER_ROWS.filter((one) => one.target === '{path}')) {
      const headers = [...row.headers, ...header.headers]
      yield probe(target, `${title(row)} × ${title(header)}`, '{path}', row.method, headers, row.body)
    }
  }
}

function probe(
  target: Target,
  row: string,
  template: string,
  method: string,
  headers: readonly HeaderLine[],
  body?: string,
): Probe {
  const lines = headers.map(([name, value]): HeaderLine => [name, fillTemplate(value, target)])
  const request = { method, target: fillTemplate(template, target), headers: lines }
  return {
    request: body === undefined ? request : { ...request, body },
    group: `${row} / ${target.shape}`,
    row,
    manner: isPlainRow(row) ? 'ordinary' : mannerOf(request, target.host),
    target,
  }
}

function title(row: ThreatRow): string {
  return `${row.threat} ${row.name}`
}

const queryOf = (rows: readonly ParameterRow[]) =>
  `{path}?${rows.map(({ parameter, value }) => `${parameter}=${value}`).join('&')}`

interface Pack {
  readonly title: string
  readonly target: string
  readonly headers: readonly HeaderLine[]
}

/** Joins rows whose header names differ; rows for the connection itself stay alone. */
function packHeaders(rows: readonly HeaderRow[]): Pack[] {
  const packs: Pack[] = []
  for (const row of rows) {
    const isAlone =
      findHeader(row.headers, 'Connection') !== null || findHeader(row.headers, 'Expect') !== null
    const fits = (pack: Pack) =>
      !isAlone &&
      findHeader(pack.headers, 'Connection') === null &&
      findHeader(pack.headers, 'Expect') === null &&
      pack.target === row.target &&
      row.headers.every(([name]) => findHeader(pack.headers, name) === null)
    const index = packs.findIndex(fits)
    const pack = packs[index]
    if (pack === undefined) packs.push({ title: title(row), target: row.target, headers: row.headers })
    else {
      packs[index] = {
        ...pack,
        title: `${pack.title.split(' … ')[0]} … ${title(row)}`,
        headers: [...pack.headers, ...row.headers],
      }
    }
  }
  return packs
}

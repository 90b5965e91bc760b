import { hash } from 'node:crypto'
import { plainJson } from '../../storage/lines/plain-json.ts'

/** A link of a chain: what the line behind it must name. */
export interface ChainHead {
  /** Number of the line, counted from 1. */
  readonly seq: number
  readonly hash: string
}

/** Before the first line. */
export const CHAIN_START: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** A line as far as the chain is concerned. */
export interface Link extends ChainHead {
  readonly prev: string
}

/** First line of a numbered file: its number, and its place in the chain. */
export interface FileHeader {
  readonly chain: string
  readonly file: number
  /** The last line before this file. */
  readonly after: ChainHead
  /** Creation time of the file, ISO 8601 in UTC. */
  readonly at: string
}

/**
 * Makes the line after `head`: a JSON object of its number, the hash before it, the record and its own hash, which covers the
 * object as it is without that hash. Returns what the next line must name, too.
 */
export function chainLine(
  head: ChainHead,
  record: { readonly at: string } & Readonly<Record<string, unknown>>,
): { readonly head: ChainHead; readonly line: string } {
  const seq = head.seq + 1
  const object = `{"seq":${seq},"prev":"${head.hash}",${plainJson(record).slice(1)}`
  const link = hashOf(object)
  return { head: { seq, hash: link }, line: `${object.slice(0, -1)},"hash":"${link}"}\n` }
}

/** The record in a line that {@link chainLine} made. */
export function recordOf(line: string): { readonly at: string } & Readonly<Record<string, unknown>> {
  const { seq: _seq, prev: _prev, hash: _hash, ...record } = JSON.parse(line)
  return record
}

const LINE = /^(\{"seq":(\d{1,15}),"prev":"([0-9a-f]{64})".*),"hash":"([0-9a-f]{64})"\}$/

/** Time of a line without parsing all of it; NaN for none. */
export const atMsOf = (line: string): number => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? '')

/** Reads one line; null unless its hash fits its text. */
export function readLink(line: string): Link | null {
  const match = LINE.exec(line)
  const [, text = '', seq = '', prev = '', link = ''] = match ?? []
  return match !== null && hashOf(`${text}}`) === link ? { seq: Number(seq), prev, hash: link } : null
}

/** The first line of a numbered file. It is no link of the chain: verification compares every word of it with the chain. */
export function fileHeaderLine({ chain, file, after, at }: FileHeader): string {
  return `${plainJson({ chain, file, after: after.seq, prev: after.hash, at })}\n`
}

const HEADER =
  /^\{"chain":"([a-z0-9-]{1,60})","file":(\d{1,9}),"after":(\d{1,15}),"prev":"([0-9a-f]{64})","at":"([^"]{1,40})"\}$/

/** Reads the first line of a numbered file; null for any other line. */
export function readFileHeader(line: string): FileHeader | null {
  const match = HEADER.exec(line)
  const [, chain = '', file = '', seq = '', prev = '', at = ''] = match ?? []
  return match === null ? null : { chain, file: Number(file), after: { seq: Number(seq), hash: prev }, at }
}

function hashOf(text: string): string {
  return hash('sha256', text)
}

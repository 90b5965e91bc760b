import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainJson } from './plain-json.ts'

/** The last link of the chain: what the next line must name. */
export interface ChainHead {
  /** Number of the last line, counted from 1 over all files. */
  readonly seq: number
  readonly hash: string
}

export const CHAIN_START: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/**
 * Makes the line after `head`: a JSON object of its number, the hash before it, the record and its own hash, which covers the
 * object as it is without that hash. Returns what the next line must name, too.
 */
export function chainLine(
  head: ChainHead,
  record: Readonly<Record<string, unknown>>,
): { readonly head: ChainHead; readonly line: string } {
  const seq = head.seq + 1
  const object = plainJson({ seq, prev: head.hash, ...record })
  const link = hashOf(object)
  return { head: { seq, hash: link }, line: `${object.slice(0, -1)},"hash":"${link}"}\n` }
}

/** One file per month, so that old ones can be archived; the chain runs on through them. */
const FILE_NAME = /^\d{4}-\d{2}\.jsonl$/

export function listAuditFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort()
}

export type AuditVerdict =
  | { readonly ok: true; readonly lines: number; readonly firstSeq: number; readonly head: ChainHead }
  | { readonly ok: false; readonly file: string; readonly lineNumber: number; readonly problem: string }

/**
 * Follows the chain through every file. Months archived from the front are accepted (the report says where the
 * chain now begins); lines cut from the end show only against a head noted elsewhere.
 */
export function verifyAudit(folder: string, expectedHash?: string): AuditVerdict {
  let wasSeen = expectedHash === undefined
  let head: ChainHead | null = null
  let firstSeq = 0
  for (const file of listAuditFiles(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    const rest = lines.pop()
    for (const [index, line] of lines.entries()) {
      const link = readLink(line)
      const problem = link === null ? 'the line was altered' : findBreak(head, link)
      if (link === null || problem !== null) {
        return { ok: false, file, lineNumber: index + 1, problem: problem ?? 'the line was altered' }
      }
      if (head === null) firstSeq = link.seq
      head = { seq: link.seq, hash: link.hash }
      wasSeen ||= link.hash === expectedHash
    }
    if (rest !== '')
      return { ok: false, file, lineNumber: lines.length + 1, problem: 'the line is cut short' }
  }
  if (!wasSeen)
    return {
      ok: false,
      file: 'the trail',
      lineNumber: 0,
      problem: 'the expected head is missing: lines were cut from the end',
    }
  const last = head ?? CHAIN_START
  return { ok: true, lines: head === null ? 0 : last.seq - firstSeq + 1, firstSeq, head: last }
}

interface Link extends ChainHead {
  readonly prev: string
}

function findBreak(head: ChainHead | null, link: Link): string | null {
  if (head === null)
    return link.seq === 1 && link.prev !== CHAIN_START.hash ? 'the first line was altered' : null
  if (link.seq !== head.seq + 1) return `line ${head.seq + 1} of the chain is missing`
  return link.prev === head.hash ? null : 'the line before it was altered or replaced'
}

/** Reads one line; null unless its hash fits its text. */
export function readLink(line: string): Link | null {
  const match = /^(\{"seq":(\d{1,15}),"prev":"([0-9a-f]{64})".*),"hash":"([0-9a-f]{64})"\}$/.exec(line)
  const [, text = '', seq = '', prev = '', link = ''] = match ?? []
  return match !== null && hashOf(`${text}}`) === link ? { seq: Number(seq), prev, hash: link } : null
}

function hashOf(text: string): string {
  return hash('sha256', text)
}

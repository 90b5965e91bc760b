import type { WireRequest } from '../../client/request.ts'

/** Faults of a gate, by stable name. */
export type Rule =
  | 'protected-text'
  | 'page-title'
  | 'file-name'
  | 'answered'
  | 'redirected'
  | 'validator'
  | 'cacheable'
  | 'fault'
  | 'no-answer'
  | 'unreadable'
  | 'not-uniform'
  | 'login-language'
  | 'second-answer'
  | 'not-pinned'
  | 'unknown-header'
  | 'missing-header'
  | 'cross-site'
  | 'session-lives'
  | 'other-edition'
  | 'no-control'

/** One thing found, with the first request that shows it and how many more show the same. */
export interface Finding {
  readonly rule: Rule
  /** The request as one line, unprintable bytes escaped. */
  readonly request: string
  /** The row of the threat tables that asked. */
  readonly row: string
  readonly detail: string
  readonly count: number
}

/** Gathers findings; the same rule shown again by the same row only counts. */
export interface FindingList {
  readonly add: (finding: Omit<Finding, 'count'>) => void
  readonly size: () => number
  readonly all: () => readonly Finding[]
}

export function createFindingList(): FindingList {
  const byKey = new Map<string, Finding>()
  return {
    add(finding) {
      const key = `${finding.rule} ${finding.row} ${finding.detail.slice(0, 40)}`
      const known = byKey.get(key)
      byKey.set(key, known === undefined ? { ...finding, count: 1 } : { ...known, count: known.count + 1 })
    },
    size: () => byKey.size,
    all: () => [...byKey.values()],
  }
}

const MAX_CHARS = 140

/** Formats a request as one printable line for reports. */
export function describeRequest(request: WireRequest): string {
  const target = printable(request.target)
  const shown =
    target.length > MAX_CHARS ? `${target.slice(0, MAX_CHARS)}… (${request.target.length} bytes)` : target
  return `${request.method} ${shown}`
}

/** Escapes every byte that is not printable ASCII. */
function printable(bytes: string): string {
  return bytes.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

import { describeRequest, type FindingList } from '../answers/findings.ts'
import type { KnownAnswer } from '../answers/known-answers.ts'
import type { Probe } from './probes.ts'

/** Collects which answers each group of requests got. */
export interface Uniformity {
  readonly note: (probe: Probe, answer: KnownAnswer) => void
  readonly report: (findings: FindingList) => void
}

interface Seen {
  readonly answer: KnownAnswer
  readonly probe: Probe
  hasDecoy: boolean
}

/**
 * Compares answers for existing and missing targets. Within a group (table row and shape of path) each answer must be one that decoys got
 * too, and decoys get one answer.
 */
export function createUniformity(): Uniformity {
  const groups = new Map<string, Map<number, Seen>>()
  return {
    note(probe, answer) {
      if (isAskedTooOften(answer)) return
      let group = groups.get(probe.group)
      if (group === undefined) {
        group = new Map()
        groups.set(probe.group, group)
      }
      const seen = group.get(answer.id)
      if (seen === undefined) group.set(answer.id, { answer, probe, hasDecoy: !probe.target.exists })
      else if (!probe.target.exists) seen.hasDecoy = true
    },
    report(findings) {
      for (const group of groups.values()) {
        if (group.size < 2) continue
        const all = [...group.values()]
        const usual = all.find((seen) => seen.hasDecoy) ?? all[0]
        for (const seen of all) {
          if (seen === usual || usual === undefined) continue
          findings.add({
            rule: 'not-uniform',
            request: describeRequest(seen.probe.request),
            row: seen.probe.row,
            detail: `${difference(usual.answer, seen.answer)}; ${describeRequest(usual.probe.request)} is answered otherwise`,
          })
        }
      }
    },
  }
}

/** Depends on how often an address asked, and not on what it asked for. */
function isAskedTooOften({ outcome }: KnownAnswer): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}

/** Names the first thing in which two answers differ. */
function difference(usual: KnownAnswer, other: KnownAnswer): string {
  const [usualStatus = '', ...usualLines] = usual.headerSection.split('\n')
  const [otherStatus = '', ...otherLines] = other.headerSection.split('\n')
  if (usualStatus !== otherStatus) return `${otherStatus} instead of ${usualStatus}`
  const extra = otherLines.find((line) => !usualLines.includes(line))
  if (extra !== undefined) return `header "${extra}"`
  const missing = usualLines.find((line) => !otherLines.includes(line))
  if (missing !== undefined) return `without header "${missing}"`
  return usual.bodySha256 === other.bodySha256 ? 'headers in another order' : 'another body'
}

import type { ProtectedText } from './protected-release.ts'
import type { PublicText } from './public-text.ts'
import { isEvidence, visitWindows, WINDOW_BYTES, WindowTable } from './windows.ts'

/** A run of protected bytes found in something an anonymous client was sent. */
interface LeakedRun {
  /** Sent text, by the caller's number. */
  readonly sample: number
  /** The file of the release that holds the run. */
  readonly where: string
  /** The run as text, cut to a readable length. */
  readonly excerpt: string
}

/** Keeps what was sent until it is held against the release. */
interface Suspects {
  /** Remembers every window of the bytes that is not public text. Returns how many windows wait in all. */
  readonly add: (sample: number, bytes: Buffer) => number
  /** Reads through the protected text once and reports at most one run per sample; then forgets the samples. */
  readonly compare: (texts: Iterable<ProtectedText>) => LeakedRun[]
}

const EXCERPT_BYTES = 60

/**
 * Finds protected text by indexing the answers: they are few and short when a gate holds, while the release streams past them. Memory does
 * not grow with the release.
 */
export function createSuspects(publicText: PublicText): Suspects {
  const windows = new WindowTable()
  let sent: Sent[] = []
  // One entry per window, in two flat lists: an object each would cost ten times the memory.
  let sentOf: number[] = []
  let startOf: number[] = []

  function add(sample: number, bytes: Buffer): number {
    const index = sent.push({ sample, bytes }) - 1
    visitWindows(bytes, (a, b, start) => {
      if (publicText.covers(a, b) || windows.get(a, b) !== -1) return
      windows.add(a, b, startOf.length)
      sentOf.push(index)
      startOf.push(start)
    })
    return startOf.length
  }

  function findIn(text: ProtectedText, found: Map<number, LeakedRun>): void {
    visitWindows(text.bytes, (a, b, start) => {
      const place = windows.get(a, b)
      const other = place === -1 ? undefined : sent[sentOf[place] ?? -1]
      if (other === undefined || found.has(other.sample)) return
      const otherStart = startOf[place] ?? 0
      if (isSame(text.bytes, start, other.bytes, otherStart) && isEvidence(text.bytes, start))
        found.set(other.sample, leakedRun(other, otherStart, text, start))
    })
  }

  function compare(texts: Iterable<ProtectedText>): LeakedRun[] {
    const found = new Map<number, LeakedRun>()
    if (startOf.length > 0) for (const text of texts) findIn(text, found)
    windows.clear()
    sent = []
    sentOf = []
    startOf = []
    return [...found.values()]
  }
  return { add, compare }
}

interface Sent {
  readonly sample: number
  readonly bytes: Buffer
}

function isSame(left: Buffer, leftStart: number, right: Buffer, rightStart: number): boolean {
  return left.compare(right, rightStart, rightStart + WINDOW_BYTES, leftStart, leftStart + WINDOW_BYTES) === 0
}

function leakedRun(other: Sent, otherStart: number, text: ProtectedText, start: number): LeakedRun {
  let length = WINDOW_BYTES
  const same = () => text.bytes[start + length] === other.bytes[otherStart + length]
  while (length < EXCERPT_BYTES && start + length < text.bytes.length && same()) length += 1
  return {
    sample: other.sample,
    where: text.where,
    excerpt: readable(text.bytes.subarray(start, start + length)),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not reach a terminal
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f]/g

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(UNPRINTABLE, ' ')
  return text.replace(/^\ufffd+|\ufffd+$/g, '') // a run may start or end inside a character
}

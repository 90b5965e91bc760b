/** Who may send a request head longer than others: only so many at a time, which bounds what all of them can hold. */
export interface LongHeads {
  /** Whether there is room for one more; then it must `leave` when its request is over. */
  enter(): boolean
  leave(): void
}

/** With heads of `MAX_SEARCH_HEAD_BYTES` these are 9 MB at most; a reader's long search is over in milliseconds. */
const MAX_AT_ONCE = 64

/** Counts the connections with a long head. */
export function createLongHeads(maxAtOnce = MAX_AT_ONCE): LongHeads {
  let count = 0
  return {
    enter() {
      if (count >= maxAtOnce) return false
      count += 1
      return true
    },
    leave() {
      count -= 1
    },
  }
}

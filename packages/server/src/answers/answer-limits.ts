import { createRateLimit, type DailySum } from '../state/limits/index.ts'

/** Tokens of a UTC day, shared by answers and rewrites. */
interface TokenBudget {
  hasRoom(): boolean
  spend(tokens: number): void
  /** Seconds until the next day. */
  secondsLeft(): number
}

const DAY_MS = 86_400_000

/** Creates the budget of a gate, which learns what other gates have used whenever it adds to their sum, if there is one. */
export function createTokenBudget(perDay: number, sum: DailySum | null, now: () => number): TokenBudget {
  let day = 0
  let spent = 0
  const today = () => {
    const found = Math.floor(now() / DAY_MS)
    if (found !== day) [day, spent] = [found, 0]
  }
  return {
    hasRoom() {
      today()
      return spent < perDay
    },
    spend(tokens) {
      today()
      spent += tokens
      const added = day
      sum?.add(added, tokens).then(
        (total) => {
          if (added === day) spent = Math.max(spent, total)
        },
        () => {}, // the gate's own sum goes on
      )
    },
    secondsLeft: () => Math.ceil((DAY_MS - (now() % DAY_MS)) / 1_000),
  }
}

/** Reason why no answer begins now. */
export type AnswerRefusal = {
  readonly reason: 'account' | 'busy' | 'budget' | 'resting'
  readonly waitSeconds: number
}

const AT_ONCE = 8
const BUSY_SECONDS = 10
const PER_HOUR = 30
const MAX_FAILURES = 5
const REST_MS = 30_000

/** Admission of answers: concurrency, requests of an account in an hour, the day's tokens, and a rest for an endpoint that keeps failing. */
export function createAnswerLimits({ budget, now }: { budget: TokenBudget; now: () => number }) {
  const hourly = createRateLimit({ burst: PER_HOUR, perSecond: PER_HOUR / 3_600, now })
  let underWay = 0
  let failures = 0
  let restsUntilMs = 0
  return {
    /** Null when an answer may begin; then `leave` has to follow. */
    enter(account: string): AnswerRefusal | null {
      const restsMs = restsUntilMs - now()
      if (restsMs > 0) return { reason: 'resting', waitSeconds: Math.ceil(restsMs / 1_000) }
      if (!budget.hasRoom()) return { reason: 'budget', waitSeconds: budget.secondsLeft() }
      if (underWay >= AT_ONCE) return { reason: 'busy', waitSeconds: BUSY_SECONDS }
      const waitSeconds = hourly.take(account)
      if (waitSeconds > 0) return { reason: 'account', waitSeconds }
      underWay += 1
      return null
    },
    leave(hasEndpointFailed: boolean): void {
      underWay -= 1
      failures = hasEndpointFailed ? failures + 1 : 0
      if (failures >= MAX_FAILURES) restsUntilMs = now() + REST_MS
    },
  }
}

import type { SearchFilters, SearchResponse } from '@sekisho/contract/search-response'
import type { Outcome, Question } from './ask-gate.ts'
import { searchPath } from './search-path.ts'

/** State of the search. `answer` stays until the next one arrives, against flicker while typing. */
export type SearchState = {
  readonly q: string
  readonly filters: SearchFilters
  readonly isAsking: boolean
  /** Asked for by a key or button, not by typing alone. */
  readonly isEntered: boolean
  readonly problem: 'offline' | 'unavailable' | null
  readonly answer: SearchResponse | null
  /** The question `answer` belongs to. */
  readonly answered: Question | null
}

export type SearchSession = {
  get(): SearchState
  subscribe(listener: () => void): () => void
  /** Asks for what is in the field now; the newest question wins whatever the order of the answers. */
  ask(change: { readonly q?: string; readonly filters?: SearchFilters }): void
  retry(): void
  /** Aborts requests in flight. */
  stop(): void
}

type SearchSessionOptions = {
  readonly limit: number
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Outcome>
  readonly onSignedOut: () => void
  readonly now: () => number
}

/** Without a connection the question is asked again this often, until there is an answer. */
const OFFLINE_RETRY_MS = 3_000

/** Minimum interval of requests: the first key sends one at once, quick successors share one, so that a held key causes no flood. */
const MIN_INTERVAL_MS = 60

const EMPTY: SearchState = {
  q: '',
  filters: {},
  isAsking: false,
  isEntered: false,
  problem: null,
  answer: null,
  answered: null,
}

export function createSearchSession({ limit, ask, onSignedOut, now }: SearchSessionOptions): SearchSession {
  let state = EMPTY
  let askedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  const listeners = new Set<() => void>()

  const set = (change: Partial<SearchState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const cancel = (): void => {
    clearTimeout(timer)
    running?.abort()
    running = undefined
  }
  const schedule = (waitMs: number): void => {
    cancel()
    if (waitMs <= 0) void start()
    else timer = setTimeout(() => void start(), waitMs)
  }
  const start = async (): Promise<void> => {
    running = new AbortController()
    const { signal } = running
    const question: Question = { q: state.q, filters: state.filters, limit }
    askedAtMs = now()
    set({ isAsking: true })
    const outcome = await ask(question, signal).catch(() => null)
    if (signal.aborted || outcome === null) return
    if (outcome.kind === 'busy') schedule(outcome.retryMs)
    else if (outcome.kind === 'signed-out') onSignedOut()
    else if (outcome.kind === 'found') {
      set({ isAsking: false, problem: null, answer: outcome.answer, answered: question })
    } else {
      set({ isAsking: false, problem: outcome.kind })
      if (outcome.kind === 'offline') schedule(OFFLINE_RETRY_MS)
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask({ q = state.q, filters = state.filters }) {
      const isSameScope = searchPath('', filters) === searchPath('', state.filters)
      if (q === state.q && isSameScope) return
      if (q.trim() === '') {
        cancel()
        set({ ...EMPTY, q, filters })
        return
      }
      const isSameWords = q.trim() === state.q.trim() && isSameScope
      set({ q, filters, isEntered: false })
      if (!isSameWords) schedule(MIN_INTERVAL_MS - (now() - askedAtMs))
    },
    retry() {
      if (state.q.trim() === '') return
      set({ isEntered: true })
      schedule(0)
    },
    stop() {
      cancel()
      set({ isAsking: false })
    },
  }
}

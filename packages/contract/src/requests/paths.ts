/** Addresses by themselves, for pages: what asks needs nothing else of a route, and every page carries it. */
export const PATHS = {
  health: '/__gate/health',
  live: '/__gate/live',
  session: '/__gate/session',
  sessions: '/__gate/sessions',
  updates: '/__gate/updates',
  account: '/__gate/account',
  search: '/__gate/search',
  searchOpened: '/__gate/search/opened',
  askScript: '/__gate/ask.js',
} as const

/** Path at which a development server sends the problems `sekisho dev` finds, as server-sent events; absent from gates. */
export const DEV_PROBLEMS_PATH = '/__gate/dev/problems'

/** Path of the editions during development: `?page=` names the page, a POST with `?edition=` selects one; absent from gates. */
export const DEV_EDITIONS_PATH = '/__gate/dev/editions'

/** Response of that path. */
export interface DevEditions {
  /** The edition that is shown; null for all pages. */
  readonly shown: string | null
  /** Editions in their order, each with `holdsPage`; null where that is unknown, as for a list. */
  readonly editions: readonly { readonly name: string; readonly holdsPage: boolean | null }[]
}

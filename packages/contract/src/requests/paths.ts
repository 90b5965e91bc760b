/** Addresses by themselves, for pages: what asks needs nothing else of a route, and every page carries it. */
export const PATHS = {
  health: '/__gate/health',
  live: '/__gate/live',
  session: '/__gate/session',
  sessions: '/__gate/sessions',
  account: '/__gate/account',
  search: '/__gate/search',
  searchOpened: '/__gate/search/opened',
} as const

/** Where a development server passes on what `sekisho dev` finds to mend, as server-sent events; no gate has it. */
export const DEV_PROBLEMS_PATH = '/__gate/dev/problems'

/** Where, in the same way, a site's editions are told of the page in `?page=`, and one of them is chosen by a POST with `?edition=`; no gate has it. */
export const DEV_EDITIONS_PATH = '/__gate/dev/editions'

/** What a writer is told there. */
export interface DevEditions {
  /** The edition that is shown; null for all pages. */
  readonly shown: string | null
  /** In their order, each with whether it holds the page; null where nobody can say, as of a list. */
  readonly editions: readonly { readonly name: string; readonly holdsPage: boolean | null }[]
}

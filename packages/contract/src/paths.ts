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

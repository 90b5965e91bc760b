import type { Expected } from './fixture.ts'

/** Elements that are ours: left out before pages are compared. */
export const OURS: readonly { readonly selector: string; readonly reason: string }[] = [
  { selector: '.sekisho-search-field', reason: 'the search field' },
  {
    selector: '.navbar [class*=navbarSearchContainer] > *',
    reason: 'the field of a search that ours replaces, as init says',
  },
  {
    selector: 'link[rel=preconnect][href$=".algolia.net"]',
    reason: 'the host of a search that ours replaces: nobody connects to it ahead',
  },
  { selector: '[data-mermaid]', reason: 'the hidden source of a diagram, for its Markdown' },
  { selector: '.sekisho-session', reason: 'the account item' },
  { selector: '.sekisho-notices', reason: 'notices about the session' },
]

/** Differences that every site may have. */
export const EXPECTED: readonly Expected[] = [
  {
    line: /^count script: none → \d+$/,
    reason: 'a page brings its own part of the route table (decisions/060)',
  },
]

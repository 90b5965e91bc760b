import { useHistory } from '@docusaurus/router'
import { useBaseUrlUtils } from '@docusaurus/useBaseUrl'
import { currentReader } from '../../session/tab-session.ts'
import { rememberQuery } from '../device-memory.ts'
import { searchPath } from '../search-path.ts'
import type { SearchState } from '../search-session.ts'
import { followResult, versionRead } from '../use-search.ts'
import type { Choice } from './choices.ts'

/** The ways out of the dialog; each leaves when the dialog is closed. */
type WaysOut = {
  open(choice: Exclude<Choice, { kind: 'recent-query' }>, newTab: boolean): void
  showAll(): void
  /** Goes to the page that answers questions, which is the gate's and no page of the site. */
  ask(url: string): void
}

/** Navigation from the dialog to a choice, or to all results. */
export function useWaysOut(state: SearchState, close: () => void): WaysOut {
  const history = useHistory()
  const { withBaseUrl } = useBaseUrlUtils()
  const ask = (url: string): void => {
    close()
    window.location.assign(url)
  }
  return {
    ask,
    open(choice, newTab) {
      if (choice.kind === 'page' || choice.kind === 'section')
        followResult(state.answered?.q ?? state.q, choice.page, choice.rank)
      if (newTab) window.open(choice.url, '_blank', 'noopener')
      else if (choice.kind === 'ask') ask(choice.url)
      else {
        close()
        goTo(history, choice.url)
      }
    },
    showAll() {
      const reader = currentReader()
      if (reader !== null) rememberQuery(localStorage, reader, state.q)
      close()
      history.push(withBaseUrl(searchPath(state.q.trim(), state.filters, versionRead(window.location))))
    },
  }
}

/** Goes to a page of the site. The heading of the address one is already at is scrolled to: the router would not. */
function goTo(history: ReturnType<typeof useHistory>, url: string): void {
  const target = new URL(url, window.location.href)
  const isHere = target.href === window.location.href
  history.push(url)
  if (isHere) document.getElementById(decodeURIComponent(target.hash.slice(1)))?.scrollIntoView()
}

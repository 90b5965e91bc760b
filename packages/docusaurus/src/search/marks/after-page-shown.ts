import siteConfig from '@generated/docusaurus.config'
import { keepPlace, namedHeading } from '../../page-tools/keep-place.ts'
import { currentReader } from '../../session/tab-session.ts'
import { rememberPage } from '../device-memory.ts'
import { takeMatchedWords } from '../matched-words.ts'
import { takeHeadingFocus } from '../open-search.ts'
import { clearMarks, markPage } from './mark-page.ts'

/** Marks the words a reader followed to this page, shows its tools, and remembers it for "read lately". */
export function afterPageShown(pathname: string, isSamePage: boolean): void {
  if (window.location.pathname !== pathname) return
  keepPlace(isSamePage)
  if (takeHeadingFocus()) focusHeading()
  if (process.env.SEKISHO_PAGE_TOOLS && !isSamePage)
    import('../../page-tools/show-tools.tsx').then(
      ({ showTools }) => showTools(),
      () => undefined,
    )
  const isOfApi = /(?:^|\s)plugin-id-openapi/.test(document.documentElement.className)
  if (isOfApi && !isSamePage)
    import('../../openapi/try-it/show-try-it.tsx').then(
      ({ showTryIt }) => showTryIt(),
      () => undefined,
    )
  const words = takeMatchedWords(localStorage, pathname, Date.now())
  if (words.length === 0 && isSamePage) return
  clearMarks()
  if (markPage(words) > 0) document.addEventListener('keydown', clearOnEscape)
  const reader = currentReader()
  const isArticle = document.querySelector('main article') !== null
  if (reader !== null && isArticle) rememberPage(localStorage, reader, { title: pageTitle(), url: pathname })
}

/** The heading the address names, else the page's own. */
function focusHeading(): void {
  const heading = namedHeading() ?? document.querySelector<HTMLElement>('main h1')
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function clearOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]') !== null) return
  clearMarks()
  document.removeEventListener('keydown', clearOnEscape)
}

function pageTitle(): string {
  const suffix = ` ${siteConfig.titleDelimiter} ${siteConfig.title}`
  return document.title.endsWith(suffix) ? document.title.slice(0, -suffix.length) : document.title
}

import Head from '@docusaurus/Head'
import Link from '@docusaurus/Link'
import { useHistory, useLocation } from '@docusaurus/router'
import { PageMetadata } from '@docusaurus/theme-common'
import useBaseUrl, { useBaseUrlUtils } from '@docusaurus/useBaseUrl'
import type { FoundPage } from '@sekisho/contract/search-response'
import Layout from '@theme/Layout'
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import FilterChips from '../../search/FilterChips.tsx'
import Icon, { SEARCH_ICON } from '../../search/Icon.tsx'
import { FIELD_TEXTS, hasSearch, requestHeadingFocus } from '../../search/open-search.ts'
import { Announcement, Marked, Notices, Snippet } from '../../search/parts.tsx'
import { readSearchPath, SEARCH_PATH, searchPath } from '../../search/search-path.ts'
import { TEXTS, wayOf } from '../../search/texts.ts'
import { followResult, useSearch, versionRead } from '../../search/use-search.ts'

/** All results of a query, at an address of its own: `/search?q=…`. */
export default function SearchPage(): ReactNode {
  return (
    <Layout>
      <PageMetadata title={TEXTS.pageTitle} />
      <Head>
        <meta name="robots" content="noindex" />
        <meta name="sekisho-search" content="exclude" />
      </Head>
      <main className="container sekisho-search-page">
        <h1>{TEXTS.pageTitle}</h1>
        {hasSearch ? <Search /> : <p>{FIELD_TEXTS.withoutGate}</p>}
      </main>
    </Layout>
  )
}

const LIMIT = 30

function Search(): ReactNode {
  const search = useSearch(LIMIT)
  useAddress(search)
  const { session, state, rewritten } = search
  const { answer, answered } = state
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    session.retry()
  }
  return (
    <>
      {answered !== null && <PageMetadata title={TEXTS.pageTitleFor(answered.q.trim())} />}
      {/* biome-ignore lint/a11y/useSemanticElements: browsers still read out the role, not the search element */}
      <form
        role="search"
        action={useBaseUrl(SEARCH_PATH)}
        className="sekisho-search-page__form"
        onSubmit={submit}
      >
        <div
          className={
            state.isAsking ? 'sekisho-search__field sekisho-search__field--asking' : 'sekisho-search__field'
          }
        >
          <Icon path={SEARCH_ICON} />
          <input
            type="search"
            name="q"
            aria-label={TEXTS.label}
            autoComplete="off"
            placeholder={TEXTS.placeholder}
            value={state.q}
            onChange={(event) => session.ask({ q: event.target.value })}
          />
        </div>
        <button type="submit" className="button button--primary">
          {TEXTS.submit}
        </button>
      </form>
      <FilterChips state={state} session={session} />
      <Announcement state={state} />
      {answer !== null && answer.results.length > 0 && state.problem === null && (
        <p className="sekisho-search-page__count">{TEXTS.count(answer.results.length)}</p>
      )}
      <Notices state={state} session={session} />
      {answer !== null && answered !== null && state.problem === null && (
        <FoundPages pages={answer.results} onFollow={(page, rank) => followResult(answered.q, page, rank)} />
      )}
      {answered !== null && rewritten !== null && state.problem === null && (
        <section aria-label={TEXTS.rewritten(rewritten.queries)}>
          <p>
            {TEXTS.rewritten(rewritten.queries)}
            <br />
            <span className="sekisho-search__way">{TEXTS.rewrittenHint}</span>
          </p>
          <FoundPages
            pages={rewritten.pages}
            onFollow={(page, rank) => followResult(answered.q, page, (answer?.results.length ?? 0) + rank)}
          />
        </section>
      )}
      {state.q === '' && <p className="sekisho-search__hint">{TEXTS.nothingYet}</p>}
    </>
  )
}

/**
 * Syncs the URL with the results, so that a result list can be shared and Back returns to it. The router updates its
 * location late, once the page is prepared, so URLs that this function set are not searched for again.
 */
function useAddress({ session, state: { answered } }: ReturnType<typeof useSearch>): void {
  const history = useHistory()
  const { withBaseUrl } = useBaseUrlUtils()
  const location = useLocation<{ readonly isAnswered?: boolean } | undefined>()
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current || location.state?.isAnswered !== true) session.ask(readSearchPath(location.search))
    isFirst.current = false
  }, [session, location])
  useEffect(() => {
    if (answered === null) return
    const path = withBaseUrl(searchPath(answered.q.trim(), answered.filters, versionRead(window.location)))
    if (path !== window.location.pathname + window.location.search)
      history.replace(path, { isAnswered: true })
  }, [history, withBaseUrl, answered])
}

type FoundPagesProps = {
  readonly pages: readonly FoundPage[]
  readonly onFollow: (page: FoundPage, rank: number) => void
}

/** Results as an ordinary list of links. */
function FoundPages({ pages, onFollow }: FoundPagesProps): ReactNode {
  return (
    <ol className="sekisho-search-page__pages">
      {pages.map((page, at) => {
        const follow = (event: MouseEvent): void => {
          if (event.detail === 0) requestHeadingFocus() // a click by keyboard
          onFollow(page, at + 1)
        }
        const lead = page.sections.find(({ anchor }) => anchor === '')
        return (
          <li key={page.id}>
            <span className="sekisho-search__way">{wayOf(page)}</span>
            <h2>
              <Link to={page.url} onClick={follow}>
                <Marked text={page.title} marks={page.titleMarks} />
              </Link>
            </h2>
            {lead !== undefined && <Snippet snippet={lead.snippet} />}
            <ul>
              {page.sections
                .filter(({ anchor }) => anchor !== '')
                .map((section) => (
                  <li key={section.url}>
                    <Link to={section.url} onClick={follow}>
                      <Marked text={section.heading} marks={section.headingMarks} />
                    </Link>
                    <Snippet snippet={section.snippet} />
                  </li>
                ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

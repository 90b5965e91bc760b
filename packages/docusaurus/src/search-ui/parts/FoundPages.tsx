import type { FoundPage } from '@sekisho/contract/search-answer'
import type { ComponentType, ReactNode } from 'react'
import { areaName } from '../texts.ts'
import Marked from './Marked.tsx'
import Snippet from './Snippet.tsx'

export type Props = {
  readonly Link: ComponentType<{ to: string; children: ReactNode; onClick: () => void }>
  readonly pages: readonly FoundPage[]
  readonly onFollow: (page: FoundPage, rank: number) => void
}

/** Results as an ordinary list of links. */
export default function FoundPages({ Link, pages, onFollow }: Props): ReactNode {
  return (
    <ol className="sekisho-search-page__pages">
      {pages.map((page, at) => {
        const follow = (): void => onFollow(page, at + 1)
        const lead = page.sections.find(({ anchor }) => anchor === '')
        return (
          <li key={page.id}>
            <span className="sekisho-search__way">
              {[areaName(page.kind), ...page.breadcrumbs].join(' › ')}
            </span>
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

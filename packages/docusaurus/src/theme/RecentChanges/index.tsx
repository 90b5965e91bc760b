import Link from '@docusaurus/Link'
import changes from '@generated/sekisho-docusaurus/default/recent-changes.json'
import type { ReactNode } from 'react'
import { formatDay } from '../../content/japanese.ts'
import type { RecentChange } from '../../content/loaded-content.ts'

export type Props = { readonly title: ReactNode }

const AREAS: Readonly<Record<RecentChange['area'], string>> = {
  docs: 'Docs',
  knowledge: 'Knowledge',
  blog: 'Blog',
}

/** The pages that changed last, under a heading; nothing at all where Git could not date them. */
export default function RecentChanges({ title }: Props): ReactNode {
  if (changes.length === 0) return null
  return (
    <section className="sekisho-recent" aria-labelledby="sekisho-recent">
      <h2 id="sekisho-recent">{title}</h2>
      <ol className="sekisho-recent__list">
        {changes.map((change) => (
          <li key={change.path} className="sekisho-recent__item">
            <time dateTime={change.day}>{formatDay(change.day)}</time>
            <span className="sekisho-recent__area">{AREAS[change.area]}</span>
            <div>
              <Link to={change.path}>{change.title}</Link>
              <p className="sekisho-recent__summary">
                {change.summary}
                {change.authors.length > 0 && (
                  <span className="sekisho-recent__authors">{change.authors.join('、')}</span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

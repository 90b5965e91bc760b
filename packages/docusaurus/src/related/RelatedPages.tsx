import Link from '@docusaurus/Link'
import useRouteContext from '@docusaurus/useRouteContext'
import type { ComponentProps, ReactNode } from 'react'
import DocItemPaginator from 'sekisho-inner/DocItem/Paginator'
import type { Related } from './write-related.ts'

/** Links to related pages before those to the neighbours. A built page has them only after `writeRelated`. */
export default function RelatedPages(props: ComponentProps<typeof DocItemPaginator>): ReactNode {
  const { related } = useRouteContext().data as { readonly related?: Related }
  return (
    <>
      <div className="sekisho-related">
        {related !== undefined && (
          <nav aria-label={related.heading}>
            <h2>{related.heading}</h2>
            <ul>
              {related.links.map(([title, to]) => (
                <li key={to}>
                  <Link to={to}>{title}</Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <DocItemPaginator {...props} />
    </>
  )
}

import Link from '@docusaurus/Link'
import Translate from '@docusaurus/Translate'
import Heading from '@theme/Heading'
import SearchBar from '@theme/SearchBar'
import clsx from 'clsx'
import type { ReactNode } from 'react'

export type Props = {
  readonly className?: string
  /** Element; `div` inside a page's own main element. */
  readonly as?: 'main' | 'div'
}

/** The not-found page: what may have happened, a search field and a link home. */
export default function NotFoundContent({ className, as: As = 'main' }: Props): ReactNode {
  return (
    <As className={clsx('container margin-vert--xl', className)}>
      <div className="row">
        <div className={clsx('col', As === 'main' && 'col--8 col--offset-2')}>
          <Heading as="h1">
            <Translate id="theme.NotFound.title">Page Not Found</Translate>
          </Heading>
          <p>
            <Translate id="theme.NotFound.p1">We could not find what you were looking for.</Translate>
          </p>
          <p>
            <Translate id="theme.NotFound.p2">
              Look for it with the search, or tell whoever linked here.
            </Translate>
          </p>
          <div className="sekisho-not-found__search">
            <SearchBar />
          </div>
          <Link to="/">
            <Translate id="sekisho.notFound.home">トップページへ</Translate>
          </Link>
        </div>
      </div>
    </As>
  )
}

import { translate } from '@docusaurus/Translate'
import { PageMetadata } from '@docusaurus/theme-common'
import NotFoundContent from '@light-pages/not-found'
import type { ReactNode } from 'react'

/** The not-found page inside the layout of documents, whose sidebar stays beside it. */
export default function MissingPage(): ReactNode {
  return (
    <>
      <PageMetadata title={translate({ id: 'theme.NotFound.title', message: 'Page Not Found' })} />
      <NotFoundContent as="div" />
    </>
  )
}

import Head from '@docusaurus/Head'
import { useLocation } from '@docusaurus/router'
import { type ReactNode, useState } from 'react'
import SiteMetadata from 'sekisho-inner/SiteMetadata'

const deliveredTitle = typeof document === 'undefined' ? null : document.title

/**
 * Keeps the title of the delivered page until the page itself has hydrated. Docusaurus sets the bare site name first, and the
 * tab would show it for as long as the page's code is loading.
 */
export default function SiteMetadataWrapper(): ReactNode {
  const { pathname } = useLocation()
  const [firstPathname] = useState(pathname)
  const isFirst = deliveredTitle !== null && pathname === firstPathname
  return (
    <>
      <Head>{isFirst && <title>{deliveredTitle}</title>}</Head>
      <SiteMetadata />
    </>
  )
}

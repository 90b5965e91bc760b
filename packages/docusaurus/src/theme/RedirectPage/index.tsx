import Head from '@docusaurus/Head'
import Link from '@docusaurus/Link'
import { useHistory, useLocation } from '@docusaurus/router'
import { type ReactNode, useEffect } from 'react'

const TEXTS =
  process.env.PAGE_LANGUAGE === 'ja'
    ? { title: '移動します', link: 'ページへ移動します' }
    : { title: 'Moved', link: 'Go to the page' }

export type Props = { readonly to: string }

/** Redirects in the browser, keeping query and hash, in `docusaurus start`; the gate redirects by itself. */
export default function RedirectPage({ to }: Props): ReactNode {
  const history = useHistory()
  const { search, hash } = useLocation()
  useEffect(() => history.replace(`${to}${search}${hash}`), [history, to, search, hash])
  return (
    <main className="container margin-vert--xl">
      <Head>
        <title>{TEXTS.title}</title>
        <meta name="robots" content="noindex" />
        <meta name="sekisho-search" content="exclude" />
      </Head>
      <Link to={to}>{TEXTS.link}</Link>
    </main>
  )
}

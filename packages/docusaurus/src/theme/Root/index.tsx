import Head from '@docusaurus/Head'
import { PATHS } from '@sekisho/contract/paths'
import { loadWhenReachable, whenIdle } from '@sekisho/light-pages/connection'
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react'
import Root from 'sekisho-inner/Root'
import SearchHost from '../../search/host/SearchHost.tsx'
import { hasGate, startTabSession } from '../../session/tab-session.ts'

/** Watches the session and holds the search for as long as the site is open; Root never unmounts. */
export default function RootWrapper(props: ComponentProps<typeof Root>): ReactNode {
  useEffect(startTabSession, [])
  return (
    <>
      <DeliveredTitle />
      <LateNotices />
      <Root {...props} />
      <SearchHost />
    </>
  )
}

const deliveredTitle = typeof document === 'undefined' ? '' : document.title

/**
 * Keeps the delivered page's title until hydration ends: Docusaurus first sets the site's bare name, and slow machines draw in between. A
 * template without a title's place replaces every title.
 */
function DeliveredTitle(): ReactNode {
  const [template, setTemplate] = useState(deliveredTitle)
  useEffect(() => setTemplate(''), [])
  return <Head titleTemplate={template}>{null}</Head>
}

const loadNotices = () => import('../../session/TabNotices.tsx')

/** No page needs it to be read, and without a connection it could not be fetched: loaded when the browser is idle. */
function LateNotices(): ReactNode {
  const [Notices, setNotices] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!hasGate) return
    whenIdle()
      .then(() => loadWhenReachable(loadNotices, PATHS.health))
      .then(
        (module) => setNotices(() => module.default),
        () => undefined, // the page works without them
      )
  }, [])
  return Notices === null ? null : <Notices />
}

import { PATHS } from '@sekisho/contract/routes'
import { loadWhenReachable, whenIdle } from '@sekisho/light-pages/connection'
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react'
import Root from 'sekisho-inner/Root'
import SearchHost from '../../search/SearchHost.tsx'
import { hasGate, startTabSession } from '../../session/tab-session.ts'

/** Watches the session and holds the search for as long as the site is open; Root never unmounts. */
export default function RootWrapper(props: ComponentProps<typeof Root>): ReactNode {
  useEffect(startTabSession, [])
  return (
    <>
      <LateNotices />
      <Root {...props} />
      <SearchHost />
    </>
  )
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

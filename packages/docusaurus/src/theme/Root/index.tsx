import { PATHS } from '@sekisho/contract/routes'
import { waitUntilReachable, whenIdle } from '@sekisho/light-pages/connection'
import Root from '@theme-init/Root'
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react'
import SearchHost from '../../search/SearchHost.tsx'
import { hasGate, startTabSession, useSession } from '../../session/tab-session.ts'

/** Loaded only where it is shown: hardly any page ever needs it. */
const ConfigurationError = lazy(() =>
  import('../../session/ConfigurationError.tsx').catch(() => ({ default: () => null })),
)

/** Watches the session and holds the search for as long as the site is open; Root never unmounts. */
export default function RootWrapper(props: ComponentProps<typeof Root>): ReactNode {
  useEffect(startTabSession, [])
  return (
    <>
      <SignInNotice />
      <Root {...props} />
      <SearchHost />
      <LateNotices />
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
      .then(loadNotices)
      .catch(async () => {
        await waitUntilReachable(PATHS.health, () => true)
        return loadNotices()
      })
      .then(
        (module) => setNotices(() => module.default),
        () => undefined, // the page works without them
      )
  }, [])
  return Notices === null ? null : <Notices />
}

/** Above every page while new sign-ins are impossible. */
function SignInNotice(): ReactNode {
  const session = useSession()
  if (session.status !== 'signed-in' || session.isSignInConfigured) return null
  return (
    <Suspense fallback={null}>
      <ConfigurationError />
    </Suspense>
  )
}

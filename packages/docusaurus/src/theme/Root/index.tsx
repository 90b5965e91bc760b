import Root from '@theme-init/Root'
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect } from 'react'
import SearchHost from '../../search/SearchHost.tsx'
import { startTabSession, useSession } from '../../session/tab-session.ts'

/** Loaded only where it is shown: hardly any page ever needs it. */
const ConfigurationError = lazy(() => import('../../session/ConfigurationError.tsx'))

/** Watches the session and holds the search for as long as the site is open; Root never unmounts. */
export default function RootWrapper(props: ComponentProps<typeof Root>): ReactNode {
  useEffect(startTabSession, [])
  return (
    <>
      <SignInNotice />
      <Root {...props} />
      <SearchHost />
    </>
  )
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

import { translate } from '@docusaurus/Translate'
import { PATHS } from '@sekisho/contract/routes'
import { connection, waitUntilReachable } from '@sekisho/light-pages/connection'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import ConfigurationError from './ConfigurationError.tsx'
import { keepPageWhileUnreachable } from './keep-page.ts'
import { newerRelease } from './tab-release.ts'
import { useSession } from './tab-session.ts'

const NO = (): boolean => false

/**
 * Above every page, that new sign-ins are impossible; at the foot of the window, that the server cannot be reached, and that a newer release is there. Loaded
 * when the browser is idle.
 */
export default function TabNotices(): ReactNode {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost, NO)
  const isOutdated = useSyncExternalStore(newerRelease.subscribe, newerRelease.get, NO)
  const session = useSession()
  useEffect(keepPageWhileUnreachable, [])
  return (
    <>
      {session.status === 'signed-in' && !session.isSignInConfigured && <ConfigurationError />}
      <div className="sekisho-notices" role="status">
        {isLost ? (
          <p>
            {translate({
              id: 'sekisho.connection.lost',
              message: '接続できません。接続が戻ると、自動で続けます。',
            })}
            <Button onClick={connection.retry}>
              {translate({ id: 'sekisho.connection.retry', message: 'もう一度試す' })}
            </Button>
          </p>
        ) : (
          isOutdated && (
            <p>
              {translate({ id: 'sekisho.release.newer', message: '新しい版があります。' })}
              <Button onClick={reload}>
                {translate({ id: 'sekisho.release.reload', message: '新しい版を開く' })}
              </Button>
            </p>
          )
        )}
      </div>
    </>
  )
}

function Button({
  onClick,
  children,
}: {
  readonly onClick: () => void
  readonly children: string
}): ReactNode {
  return (
    <button type="button" className="button button--primary button--sm" onClick={onClick}>
      {children}
    </button>
  )
}

/** Reloads the page, but not before the server can be reached. */
function reload(): void {
  void waitUntilReachable(PATHS.health, () => true).then(() => window.location.reload())
}

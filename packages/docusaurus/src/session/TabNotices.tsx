import { translate } from '@docusaurus/Translate'
import siteConfig from '@generated/docusaurus.config'
import { PATHS } from '@sekisho/contract/paths'
import { connection, waitUntilReachable } from '@sekisho/light-pages/connection'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import ConfigurationError from './ConfigurationError.tsx'
import { askForPage } from './session-api.ts'
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
  const [isClosed, setClosed] = useState(false)
  const [isGone, setGone] = useState(false)
  const isTyping = useIsTypingBelow()
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
          isOutdated &&
          !isClosed &&
          !isTyping && (
            <p>
              {isGone
                ? translate({ id: 'sekisho.release.gone', message: 'このページは新しい版にはありません。' })
                : newerRelease.isOtherEdition()
                  ? translate({ id: 'sekisho.release.edition', message: '読めるページが変わりました。' })
                  : translate({ id: 'sekisho.release.newer', message: '新しい版があります。' })}
              {isGone ? (
                <Button onClick={() => window.location.assign(siteConfig.baseUrl)}>
                  {translate({ id: 'sekisho.notFound.home', message: 'トップページへ' })}
                </Button>
              ) : (
                <Button onClick={() => void openNewer(() => setGone(true))}>
                  {translate({ id: 'sekisho.release.reload', message: '新しい版を開く' })}
                </Button>
              )}
              <button
                type="button"
                className="clean-btn close sekisho-notices__close"
                aria-label={translate({ id: 'sekisho.release.close', message: '閉じる' })}
                onClick={() => setClosed(true)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </p>
          )
        )}
      </div>
    </>
  )
}

/** Height that a notice at the foot of the window may cover. */
const FOOT_PX = 140

/** Tells if the reader types at the notice's place. A dialog is above it anyway. */
function useIsTypingBelow(): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    const look = (): void => {
      const field = document.activeElement
      const isField = field?.matches('input, textarea, [contenteditable]') === true
      const isBelow = isField && field.getBoundingClientRect().bottom > window.innerHeight - FOOT_PX
      setTyping(isBelow && field.closest('dialog') === null)
    }
    const later = (): void => void setTimeout(look) // the focus is nowhere while it moves
    const changes = ['focusin', 'focusout', 'scroll'] as const
    for (const type of changes) document.addEventListener(type, later, { passive: true })
    look()
    return () => {
      for (const type of changes) document.removeEventListener(type, later)
    }
  }, [])
  return isTyping
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

/** Reloads the page once the server can be reached; one that the newer release lacks stays, so that its reader does not lose it. */
async function openNewer(onGone: () => void): Promise<void> {
  await waitUntilReachable(PATHS.health, () => true)
  if ((await askForPage(fetch, window.location.pathname)).isMissing) onGone()
  else window.location.reload()
}

/**
 * Follows links outside the router, as to a feed or an attachment, only once the server responds: the browser's error page would replace
 * this one. Returns a function that stops it.
 */
function keepPageWhileUnreachable(): () => void {
  const onClick = (event: MouseEvent): void => {
    const link = linkOf(event)
    if (link === null) return
    event.preventDefault()
    const { href } = window.location
    const isWanted = (): boolean => window.location.href === href
    void waitUntilReachable(PATHS.health, isWanted).then((isReachable) => {
      if (isReachable) window.location.assign(link.href)
    })
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}

/** The link that a click is about to leave this document for, if it stays on this site and in this tab. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (event.defaultPrevented || !isPlain || !(event.target instanceof Element)) return null
  const link = event.target.closest<HTMLAnchorElement>('a[href]')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  const { origin, pathname, search } = window.location
  if (link.origin !== origin) return null
  return link.pathname === pathname && link.search === search && link.hash !== '' ? null : link
}

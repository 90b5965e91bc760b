import { PATHS } from '@sekisho/contract/paths'
import { waitUntilReachable } from '@sekisho/light-pages/connection'

/**
 * Follows links outside the router, as to a feed or an attachment, only once the server responds: the browser's error page would replace
 * this one. Returns a function that stops it.
 */
export function keepPageWhileUnreachable(): () => void {
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

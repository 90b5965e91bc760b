import type { useHistory } from '@docusaurus/router'

/** Goes to a page of the site. The heading of the address one is already at is scrolled to: the router would not. */
export function goTo(history: ReturnType<typeof useHistory>, url: string): void {
  const target = new URL(url, window.location.href)
  const isHere = target.href === window.location.href
  history.push(url)
  if (isHere) document.getElementById(decodeURIComponent(target.hash.slice(1)))?.scrollIntoView()
}

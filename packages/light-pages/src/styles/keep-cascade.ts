import { MOVED_STYLES } from '../routes/model.ts'

const MOVED = `[${MOVED_STYLES}]`

/**
 * Puts the site's sheet back before whatever scripts add to the head: of two rules of equal weight the later one wins, and libraries
 * that bring their styles while they run count on theirs. The sheet is asked for again where it was, which the browser has in
 * memory, and the one at the end goes when it is there; both say the same until then. Sites without such styles never do it.
 */
function keepCascade({ head, body }: Document): void {
  const putBack = (): void => {
    if (head.querySelector(`${MOVED}~:is(style,link[rel=stylesheet])`) === null) return
    observer.disconnect()
    const places = head.querySelectorAll(MOVED)
    for (const [at, link] of body.querySelectorAll<HTMLLinkElement>(MOVED).entries()) {
      const copy = link.cloneNode() as HTMLLinkElement
      copy.onload = () => link.remove()
      places[at]?.after(copy)
    }
  }
  const observer = new MutationObserver(putBack)
  observer.observe(head, { childList: true })
  putBack()
}

// Pages are rendered with it as well.
if (typeof document !== 'undefined') keepCascade(document)

import { MOVED_STYLES } from '../routes/model.ts'

const MOVED = `[${MOVED_STYLES}]`

/**
 * Moves the site's sheet back before styles that scripts add to the head, since later rules of equal weight win. The sheet is loaded again
 * in its old place, from memory, then the last one goes. Sites without such styles are unaffected.
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

const MENU = '.navbar-sidebar'
/** The menu becomes focusable with its first frame of the opening transition. */
const MAX_FRAMES = 10

/** Makes everything but the menu inert, and Esc close it, until the returned function is called. */
export function holdFocus(close: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing && document.querySelector('dialog[open]') === null)
      close()
  }
  document.addEventListener('keydown', onKey)
  const navbar = document.querySelector('.navbar')
  const around = [...(navbar?.children ?? []), ...(navbar?.parentElement?.children ?? [])]
  const outside = around.filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      element !== navbar &&
      !element.inert &&
      !element.matches(`${MENU}, ${MENU}__backdrop`),
  )
  for (const element of outside) element.inert = true
  focusWhenShown(MAX_FRAMES)
  return () => {
    document.removeEventListener('keydown', onKey)
    const isInside = document.activeElement?.closest(MENU) != null
    for (const element of outside) element.inert = false
    if (isInside || document.activeElement === document.body)
      document.querySelector<HTMLElement>('.navbar__toggle')?.focus()
  }
}

function focusWhenShown(framesLeft: number): void {
  const close = document.querySelector<HTMLElement>(`${MENU}__close`)
  close?.focus()
  if (document.activeElement === close || framesLeft === 0) return
  requestAnimationFrame(() => focusWhenShown(framesLeft - 1))
}

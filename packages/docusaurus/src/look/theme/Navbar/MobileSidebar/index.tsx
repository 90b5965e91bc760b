import { useNavbarMobileSidebar } from '@docusaurus/theme-common/internal'
import MobileSidebar from '@theme-init/Navbar/MobileSidebar'
import { type ReactNode, useEffect } from 'react'

/** The phone menu as a dialog: it takes the focus, holds it, and gives it back; Esc closes it. */
export default function MobileSidebarWrapper(): ReactNode {
  const { shown, toggle } = useNavbarMobileSidebar()
  useEffect(() => (shown ? holdFocus() : undefined), [shown])
  useEffect(() => {
    if (!shown) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing && document.querySelector('dialog[open]') === null)
        toggle()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [shown, toggle])
  return <MobileSidebar />
}

const MENU = '.navbar-sidebar'
/** The menu becomes focusable with its first frame of the opening transition. */
const MAX_FRAMES = 10

/** Makes everything but the menu inert until the returned function is called. */
function holdFocus(): () => void {
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

import { useNavbarMobileSidebar } from '@docusaurus/theme-common/internal'
import MobileSidebar from '@theme-init/Navbar/MobileSidebar'
import { type ReactNode, useEffect } from 'react'

/** The phone menu as a dialog: it takes the focus, holds it, and gives it back; Esc closes it. */
export default function MobileSidebarWrapper(): ReactNode {
  const { shown, toggle } = useNavbarMobileSidebar()
  useEffect(() => {
    if (!shown) return undefined
    const held = import('./hold-focus.ts').then(({ holdFocus }) => holdFocus(toggle))
    return () => {
      held.then(
        (release) => release(),
        () => undefined, // the menu works without
      )
    }
  }, [shown, toggle])
  return <MobileSidebar />
}

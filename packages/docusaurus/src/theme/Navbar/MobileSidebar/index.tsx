import { useNavbarMobileSidebar } from '@docusaurus/theme-common/internal'
import MobileSidebar from '@theme-init/Navbar/MobileSidebar'
import { type ReactNode, useEffect } from 'react'

const loadHold = () => import('./hold-focus.ts')

/** The phone menu as a dialog: it takes the focus, holds it, and gives it back; Esc closes it. */
export default function MobileSidebarWrapper(): ReactNode {
  const { shown, toggle } = useNavbarMobileSidebar()
  useEffect(() => {
    if (!shown) return undefined
    const release = loadHold().then(
      ({ holdFocus }) => holdFocus(),
      () => () => undefined, // the menu works without
    )
    return () => void release.then((run) => run())
  }, [shown])
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

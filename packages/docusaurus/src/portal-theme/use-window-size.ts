import { useSyncExternalStore } from 'react'

type WindowSize = 'desktop' | 'mobile' | 'ssr'

/** As in @docusaurus/theme-common, but desktop from the breakpoint on, not from one pixel above it. */
export function useWindowSize({ desktopBreakpoint = 996 } = {}): WindowSize {
  return useSyncExternalStore<WindowSize>(
    (listener) => {
      window.addEventListener('resize', listener)
      return () => window.removeEventListener('resize', listener)
    },
    () => (window.innerWidth >= desktopBreakpoint ? 'desktop' : 'mobile'),
    () => 'ssr',
  )
}

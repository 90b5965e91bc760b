import type { ClientModule } from '@docusaurus/types'
import { noteReading } from './tab-session.ts'

/** A page that opens inside an open tab comes from scripts the tab may have had for long; the gate has to hear of it. */
export function onRouteDidUpdate({
  location,
  previousLocation,
}: Parameters<NonNullable<ClientModule['onRouteDidUpdate']>>[0]): void {
  if (previousLocation === null || location.pathname === previousLocation.pathname) return
  const { pathname } = new URL(location.pathname, window.location.href) // the router decodes, the gate does not
  void noteReading(pathname)
}

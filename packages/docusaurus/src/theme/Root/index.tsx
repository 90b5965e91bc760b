import Root from '@theme-init/Root'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import SearchHost from '../../search/SearchHost.tsx'
import ConfigurationError from '../../session/ConfigurationError.tsx'
import { startTabSession } from '../../session/tab-session.ts'

/** Watches the session and holds the search for as long as the site is open; Root never unmounts. */
export default function RootWrapper(props: ComponentProps<typeof Root>): ReactNode {
  useEffect(startTabSession, [])
  return (
    <>
      <ConfigurationError />
      <Root {...props} />
      <SearchHost />
    </>
  )
}

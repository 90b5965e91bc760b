import type { LoginConfig } from '@sekisho/contract/login-page'
import type { ReactNode } from 'react'
import { Frame } from './frame.tsx'

/** Shown until it is known whether somebody is signed in; also what the built document holds before the script runs. */
export function LoadingPage({ site }: { readonly site: LoginConfig['site'] }): ReactNode {
  return (
    <Frame site={site}>
      <p className="loading" role="status">
        Loading...
      </p>
    </Frame>
  )
}

import type { LoginConfig } from '@sekisho/contract/login-page'
import type { ReactNode } from 'react'
import { Frame } from './frame.tsx'

/** Page until the sign-in state is known; also the built document's content before the script runs. */
export function LoadingPage({ site }: { readonly site: LoginConfig['site'] }): ReactNode {
  return (
    <Frame site={site}>
      <p className="loading" role="status">
        Loading...
      </p>
    </Frame>
  )
}

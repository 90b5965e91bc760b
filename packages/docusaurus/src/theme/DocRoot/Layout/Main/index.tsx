import ErrorBoundary from '@docusaurus/ErrorBoundary'
import DocRootLayoutMain from '@theme-init/DocRoot/Layout/Main'
import type { ComponentProps, ReactNode } from 'react'
import ErrorPageContent from '../../../ErrorPageContent/index.tsx'

/** A document that cannot be rendered leaves the sidebar where it is. */
export default function DocRootLayoutMainWrapper({
  children,
  ...props
}: ComponentProps<typeof DocRootLayoutMain>): ReactNode {
  return (
    <DocRootLayoutMain {...props}>
      <ErrorBoundary fallback={(params) => <ErrorPageContent {...params} as="div" />}>
        {children}
      </ErrorBoundary>
    </DocRootLayoutMain>
  )
}

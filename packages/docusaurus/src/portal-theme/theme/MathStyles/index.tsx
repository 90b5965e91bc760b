import Head from '@docusaurus/Head'
import useBaseUrl from '@docusaurus/useBaseUrl'
import type { ReactNode } from 'react'

export type Props = { readonly href: string }

/** Put into pages with formulas by `rehypeMathStyles`. */
export default function MathStyles({ href }: Props): ReactNode {
  return (
    <Head>
      <link rel="stylesheet" href={useBaseUrl(href)} />
    </Head>
  )
}

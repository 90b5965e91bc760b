import { translate } from '@docusaurus/Translate'
import TOC from '@theme-init/TOC'
import type { ComponentProps, ReactNode } from 'react'

/** The table of contents as a landmark: beside a post it stands outside the main one. */
export default function TOCWrapper(props: ComponentProps<typeof TOC>): ReactNode {
  const label = translate({ id: 'sekisho.toc.label', message: '目次' })
  return (
    <nav className="sekisho-toc" aria-label={label}>
      <TOC {...props} />
    </nav>
  )
}

import type { Props } from '@theme/ContentVisibility'
import type { ReactNode } from 'react'
import ContentVisibility from 'sekisho-inner/ContentVisibility'

/** Says above a document, a post or a page for whom it is; only in editions that hold such pages, of sites that label their audiences. */
export default function AudienceBadge(props: Props): ReactNode {
  const { audience_label: label } = props.metadata.frontMatter as { readonly audience_label?: string } // put there by `inEdition`
  return (
    <>
      <ContentVisibility {...props} />
      {label !== undefined && (
        // Like the version's badge it is no text of the page: not in its search, nor in its Markdown.
        <span className="theme-doc-version-badge badge badge--secondary margin-bottom--sm">{label}</span>
      )}
    </>
  )
}

import type { FoundSection } from '@sekisho/contract/search-answer'
import type { ReactNode } from 'react'
import Marked from './Marked.tsx'

export type Props = { readonly snippet: FoundSection['snippet'] }

/** The stretch of a section around the match. */
export default function Snippet({ snippet }: Props): ReactNode {
  if (snippet.text === '') return null
  return (
    <span className="sekisho-search__snippet">
      {snippet.cutStart && '… '}
      <Marked text={snippet.text} marks={snippet.marks} />
      {snippet.cutEnd && ' …'}
    </span>
  )
}

import type { MarkedRange } from '@sekisho/contract/search-answer'
import type { ReactNode } from 'react'

export type Props = { readonly text: string; readonly marks: readonly MarkedRange[] }

/** A text with its matches marked. */
export default function Marked({ text, marks }: Props): ReactNode {
  const pieces: ReactNode[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...pieces, text.slice(at)]
}

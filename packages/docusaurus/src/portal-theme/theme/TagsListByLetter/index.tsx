import Tag from '@theme/Tag'
import type { ComponentProps, ReactNode } from 'react'
import { orderTags } from '../../../content/japanese.ts'

export type Props = { readonly tags: readonly (ComponentProps<typeof Tag> & { readonly count: number })[] }

/** All tags in one list. Replaces the classic one, which groups them by first letter: no order for kanji. */
export default function TagsList({ tags }: Props): ReactNode {
  return (
    <ul className="sekisho-tags">
      {orderTags(tags).map((tag) => (
        <li key={tag.permalink}>
          <Tag {...tag} />
        </li>
      ))}
    </ul>
  )
}

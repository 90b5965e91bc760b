import DocSidebarItems from '@theme-init/DocSidebarItems'
import { type ReactNode, useEffect } from 'react'
import { isPending } from '../../client/open-sidebar.ts'
import { loadNode } from '../../client/sidebar-store.ts'
import type { SidebarItem } from '../../wire.ts'

type Props = { items: SidebarItem[]; [prop: string]: unknown }

/** Shows the entries of a category, or as many blank rows while an opened category is still loading. */
export default function DocSidebarItemsWrapper(props: Props): ReactNode {
  const [first] = props.items
  if (isPending(first)) return <BlankRows node={first.pending} count={props.items.length} />
  return <DocSidebarItems {...props} />
}

/** Blank rows are as high as the entries to come, so that the opening animation has its full height at once. */
function BlankRows({ node, count }: { node: string; count: number }): ReactNode {
  useEffect(() => {
    // A reader who was signed out meanwhile is noticed by the session watcher; the rows stay blank until then.
    loadNode(node).catch(() => {})
  }, [node])
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
    <li key={index} className="menu__list-item" aria-hidden="true">
      <span className="menu__link">&nbsp;</span>
    </li>
  ))
}

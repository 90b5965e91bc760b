import DocSidebarItems from '@theme-init/DocSidebarItems'
import type { ReactNode } from 'react'
import { isPending } from '../../routes/app/open-sidebar.ts'
import type { SidebarItem } from '../../routes/model.ts'
import PendingItems from './PendingItems.tsx'

type Props = { items: SidebarItem[]; [prop: string]: unknown }

/** Shows the entries of a category, or what stands for them while an opened category is still loading. */
export default function DocSidebarItemsWrapper(props: Props): ReactNode {
  const [first] = props.items
  if (isPending(first)) return <PendingItems node={first.pending} count={props.items.length} />
  return <DocSidebarItems {...props} />
}

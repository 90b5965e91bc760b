import DocSidebarItemCategory from '@theme-init/DocSidebarItem/Category'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { isPending } from '../../../routes/app/open-sidebar.ts'
import { loadNode, readNode, subscribeToNodes } from '../../../routes/app/sidebar-store.ts'
import type { SidebarItem } from '../../../routes/model.ts'

type Props = { item: SidebarItem; [prop: string]: unknown }

/** Gives a closed category its entries once they are here, and asks for them when it is pointed at. */
export default function DocSidebarItemCategoryWrapper({ item, ...props }: Props): ReactNode {
  const [blank] = item.items ?? []
  const ref = isPending(blank) ? blank.pending : null
  const loaded = useSyncExternalStore(
    subscribeToNodes,
    () => (ref === null ? null : readNode(ref)),
    () => null,
  )
  const full = useMemo(() => (loaded === null ? item : { ...item, items: loaded }), [item, loaded])
  const ask = ref === null || loaded !== null ? {} : { onPointerEnter: load, onFocus: load }
  return <DocSidebarItemCategory {...props} {...ask} item={full} />

  function load(): void {
    if (ref !== null) loadNode(ref).catch(() => {}) // requested again, and a failure shown, when it is opened
  }
}

import { useActiveDocContext, useActivePlugin } from '@docusaurus/plugin-content-docs/client'
import DefaultNavbarItem from '@theme/NavbarItem/DefaultNavbarItem'
import ComponentTypes from '@theme-original/NavbarItem/ComponentTypes'
import type { ComponentProps, ReactNode } from 'react'

type SectionProps = ComponentProps<typeof DefaultNavbarItem> & { readonly sidebars: readonly string[] }

/** A link that is the active one while a page is shown beside one of these sidebars, whatever its address. */
function Section({ sidebars, ...props }: SectionProps): ReactNode {
  const plugin = useActivePlugin()
  const { activeDoc } = useActiveDocContext(plugin?.pluginId)
  return (
    <DefaultNavbarItem
      {...props}
      isActive={() => plugin !== undefined && sidebars.includes(activeDoc?.sidebar ?? '')}
    />
  )
}

/** Adds `{ type: 'custom-section', sidebars: […] }` to what the navbar may hold. */
export default { ...ComponentTypes, 'custom-section': Section }

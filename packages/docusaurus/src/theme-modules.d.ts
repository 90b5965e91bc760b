/// <reference types="@docusaurus/module-type-aliases" />
/// <reference types="@docusaurus/theme-classic" />

declare module 'sekisho-inner/Root' {
  export { default } from '@theme-init/Root'
}

declare module 'sekisho-inner/NavbarItem/ComponentTypes' {
  export { default } from '@theme-init/NavbarItem/ComponentTypes'
}

declare module 'sekisho-inner/ContentVisibility' {
  export { default } from '@theme-init/ContentVisibility'
}

declare module 'sekisho-inner/DocItem/Footer' {
  export { default } from '@theme-init/DocItem/Footer'
}

declare module 'sekisho-inner/DocItem/Paginator' {
  export { default } from '@theme-init/DocItem/Paginator'
}

declare module '@theme/RecentChanges' {
  import type { ReactNode } from 'react'

  export default function RecentChanges(props: { readonly title: ReactNode }): ReactNode
}

declare module '@theme/RedirectPage' {
  import type { ReactNode } from 'react'

  export default function RedirectPage(props: { readonly to: string }): ReactNode
}

declare module '@theme/NavbarItem/SekishoSessionNavbarItem' {
  import type { ReactNode } from 'react'

  export default function SekishoSessionNavbarItem(props: {
    readonly mobile?: boolean
    readonly className?: string
  }): ReactNode
}

declare module '@theme/SearchBar' {
  import type { ReactNode } from 'react'

  export default function SearchBar(): ReactNode
}

declare module '@theme/SearchPage' {
  import type { ReactNode } from 'react'

  export default function SearchPage(): ReactNode
}

declare module '@generated/sekisho-docusaurus/default/search-scopes.json' {
  const versions: readonly string[]
  export default versions
}

declare module '@generated/sekisho-docusaurus/default/search-page.json' {
  const page: { readonly path: string }
  export default page
}

declare module '@generated/sekisho-docusaurus/default/recent-changes.json' {
  const changes: readonly import('./content/loaded-content.ts').RecentChange[]
  export default changes
}

declare module '@generated/sekisho-docusaurus/default/noted-pages.json' {
  const paths: readonly string[]
  export default paths
}

declare module '@generated/sekisho-docusaurus/default/tools.json' {
  const tools: import('./options.ts').Tools
  export default tools
}

declare module '@theme/MathStyles' {
  import type { ReactNode } from 'react'

  export default function MathStyles(props: { readonly href: string }): ReactNode
}

declare module '@theme/NotFound/Content' {
  export interface Props {
    /** `div` inside a page's own main element. */
    readonly as?: 'main' | 'div'
  }
}

declare module 'nprogress' {
  const progress: { configure(options: { readonly template: string; readonly barSelector: string }): void }
  export default progress
}

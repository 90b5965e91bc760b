declare module '@generated/light-pages/layouts' {
  import type { ModuleSlots } from '../model.ts'
  import type { Layout } from '../plan.ts'
  import type { ModuleNamespace } from './open-page.ts'

  /** Path of the home page, or null. */
  export const home: string | null
  /** Answers whenever the server can be reached. */
  export const probe: string
  export const layouts: (Omit<Layout, 'modules'> & { modules: ModuleSlots<() => Promise<ModuleNamespace>> })[]
}

declare module '@generated/light-pages/modules' {
  import type { ModuleNamespace } from './open-page.ts'

  const modules: { [request: string]: () => Promise<ModuleNamespace> }
  export default modules
}

declare module '@generated/light-pages/server' {
  /** Folder where the two builds leave what rendering reads. */
  export const dir: string
  /** Folder of the pages kept for the next build; null when none are kept. */
  export const keptPagesDir: string | null
}

/** `browser-pages.ts` in the client bundle, `server-pages.ts` in the server's. */
declare module '@light-pages/pages' {
  export const openPage: (pathname: string) => Promise<import('./open-page.ts').OpenPage>
  export const peekPage: (pathname: string) => import('./open-page.ts').OpenPage | null
  export const restoreSidebar: () => Promise<boolean>
  export const readSidebar: (
    refs: readonly string[],
    counts?: import('../model.ts').PageInfo['counts'],
  ) => import('../model.ts').SidebarItem[]
  export const readStart: (pathname: string) => import('./open-page.ts').PageStart
}

declare module '@light-pages/router-config' {
  export * from 'react-router-config'
}

declare module '@light-pages/not-found' {
  export { default } from '@theme/NotFound/Content'
}

declare module '@light-pages/stock-entry' {}

/** Import of every Markdown page: `@mdx-js/react` as Docusaurus has it. */
declare module '@light-pages/mdx' {}

declare module '@light-pages/prism-languages' {}

/** Of the theme until Docusaurus 3.7. */
declare module '@theme/CodeBlock/CopyButton' {
  export default function CopyButton(props: {
    code: string
    className?: string | undefined
  }): import('react').ReactNode
}

/** Of the theme until Docusaurus 3.7. */
declare module '@theme/CodeBlock/WordWrapButton' {
  export default function WordWrapButton(props: {
    className?: string | undefined
    isEnabled: boolean
    onClick(): void
  }): import('react').ReactNode
}

/** Module variables of webpack and Rspack. */
declare const __webpack_require__: {
  (module: string): import('./open-page.ts').ModuleNamespace
  e(chunk: string): Promise<unknown>
  /** The public path. */
  p: string
  /** File of a chunk. */
  u(chunk: string | number): string
}

declare module '@generated/sekisho-flat/shared' {
  import type { ComponentType } from 'react'
  import type { Json, ModuleTree } from '../wire.ts'

  type Loaded = { default: ComponentType<{ [key: string]: unknown }>; [name: string]: unknown }

  export const components: { [name: string]: () => Promise<Loaded> }
  export const contexts: { [name: string]: Json }
  export const layouts: {
    path: string
    attributes: { [key: string]: Json }
    modules: { [slot: string]: ModuleTree }
    version?: { version: { [key: string]: unknown } }
  }[]
  export const loadPages: () => Promise<unknown>
}

declare module '@generated/sekisho-flat/site' {
  import type { PageInfo, SidebarItem } from '../wire.ts'

  /** Folder where the client build leaves what the server build reads. */
  export const dir: string
  export const pages: (PageInfo & { key: string })[]
  export const nodes: { [ref: string]: SidebarItem[] }
  /** Key of each layout's component. */
  export const layoutKeys: string[]
}

declare module '@sekisho/original-router-config' {
  export * from 'react-router-config'
}

declare module '@sekisho/prism-languages' {}

declare const __webpack_require__: {
  (module: string): { [name: string]: unknown }
  e(chunk: string): Promise<unknown>
  p: string
  m: { [module: string]: unknown }
  u(chunk: string | number): string
}

declare module '@generated/sekisho-flat/shared' {
  import type { ComponentType } from 'react'
  import type { Json, ModuleTree } from '../wire.ts'

  type Loaded = { default?: ComponentType<{ [key: string]: unknown }>; [name: string]: unknown }

  export const components: { [name: string]: () => Promise<Loaded> }
  export const contexts: { [name: string]: Json }
  /** Path of the home page, or null. */
  export const home: string | null
  export const layouts: {
    path: string
    attributes: { [key: string]: Json }
    modules: { [slot: string]: ModuleTree }
    version?: { version: { [key: string]: unknown } }
  }[]
  export const loadPages: () => Promise<{ default: { [name: string]: () => Promise<Loaded> } }>
}

declare module '@generated/sekisho-flat/server' {
  /** Folder where the two builds leave what rendering reads. */
  export const dir: string
  /** Folder of the pages kept for the next build; null when none are kept. */
  export const cacheDir: string | null
}

declare module '@light-pages/router-config' {
  export * from 'react-router-config'
}

declare module '@light-pages/prism-languages' {}

declare const __webpack_require__: {
  (module: string): { [name: string]: unknown }
  e(chunk: string): Promise<unknown>
  p: string
  m: { [module: string]: unknown }
  u(chunk: string | number): string
}

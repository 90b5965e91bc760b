import { fileURLToPath } from 'node:url'
import type { Plugin } from '@docusaurus/types'

/** Infima and the classic theme begin the desktop layout at 997 px, in JavaScript and in every style sheet. */
const STOCK = /\((min|max)-width:\s*99([67])px\)/g

/** Moves the stock theme's media queries to the portal's breakpoint: from 996 px on the layout is the desktop one. */
export const desktopFrom996 = {
  postcssPlugin: 'sekisho-desktop-from-996',
  AtRule: {
    media: (rule: { params: string }) => {
      const params = rule.params.replace(STOCK, (query, bound: string, digit: string) => {
        if (bound === 'max' && digit === '6') return '(max-width:995.98px)'
        return bound === 'min' && digit === '7' ? '(min-width:996px)' : query
      })
      if (params !== rule.params) rule.params = params
    },
  },
}

type Bundler = Parameters<NonNullable<Plugin['configureWebpack']>>[2]['currentBundler']['instance']

/** Replaces the theme's hook of the same name, which is no component that could be swizzled. */
export function replaceWindowSize(bundler: Bundler) {
  return new bundler.NormalModuleReplacementPlugin(
    /[\\/]theme-common[\\/]lib[\\/]hooks[\\/]useWindowSize\.js$/,
    fileURLToPath(new URL('./use-window-size.ts', import.meta.url)),
  )
}

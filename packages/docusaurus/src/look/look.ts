import { fileURLToPath } from 'node:url'
import type { LoadContext, Plugin } from '@docusaurus/types'
import { desktopFrom996, replaceWindowSize } from './breakpoint.ts'
import { japaneseTranslations } from './translations.ts'

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/**
 * The look of our own portal, for sites in Japanese that want it: typography, colours of code and diagrams, tables that scroll, days
 * and tags as Japanese readers expect them. Listed before `sekisho/docusaurus`, which works without it and restyles nothing.
 */
export default function look(context: LoadContext): Plugin {
  return {
    name: 'sekisho-look',
    getThemePath: () => file('./theme'),
    getClientModules: () => [
      file('./styles/japanese.css'),
      file('./styles/code.css'),
      file('./styles/mermaid.css'),
      file('./print-on-paper.ts'),
    ],
    configureWebpack: (_config, _isServer, { currentBundler }) => ({
      plugins: [replaceWindowSize(currentBundler.instance)],
    }),
    configurePostCss: (options) => ({ ...options, plugins: [...options.plugins, desktopFrom996] }),
    getDefaultCodeTranslationMessages: () =>
      Promise.resolve(japaneseTranslations(context.i18n.currentLocale)),
  }
}

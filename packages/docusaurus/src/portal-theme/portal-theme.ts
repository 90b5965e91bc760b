import { createRequire } from 'node:module'
import path from 'node:path'
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
      file('./styles/tables.css'),
      file('./styles/parts.css'),
      file('./styles/forced-colors.css'),
      file('./print-on-paper.ts'),
      file('./progress-bar.ts'),
    ],
    configureWebpack: (_config, _isServer, { currentBundler }) => ({
      plugins: [replaceWindowSize(currentBundler.instance)],
      resolve: { alias: { nprogress$: findProgressBar(context.siteDir) } },
    }),
    configurePostCss: (options) => ({ ...options, plugins: [...options.plugins, desktopFrom996] }),
    getDefaultCodeTranslationMessages: () =>
      Promise.resolve(japaneseTranslations(context.i18n.currentLocale)),
  }
}

/** The progress bar that the classic theme brings; the one copy that it and ours are to share. */
function findProgressBar(siteDir: string): string {
  const ofSite = createRequire(path.join(siteDir, 'package.json'))
  return createRequire(ofSite.resolve('@docusaurus/theme-classic/package.json')).resolve('nprogress')
}

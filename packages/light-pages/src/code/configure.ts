import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoadContext } from '@docusaurus/types'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import { createHighlighter } from './highlight.ts'
import { type CodeMetadata, rehypeCode } from './rehype-code.ts'

/** The compiler that Rspack brings along. */
export interface Swc {
  transformSync(source: string, options: object): { code: string }
}

/** What is read from the site's `themeConfig.prism`. */
export interface PrismConfig {
  magicComments?: unknown[]
  defaultLanguage?: string
}

/** Options of Docusaurus' MDX loader that are relied upon. */
interface MdxLoaderOptions {
  rehypePlugins?: unknown[]
  processors?: unknown
}

interface RuleUse {
  loader?: string
  options?: MdxLoaderOptions
}

const LOADER = /@docusaurus[\\/]mdx-loader[\\/]/

/** Makes every MDX rule of the site highlight code. Both bundles share the rules' options, so each is changed once. */
export function createCodeConfigurator(
  { siteDir, i18n }: Pick<LoadContext, 'siteDir' | 'i18n'>,
  prism: PrismConfig,
  swc: Swc,
): (rules: unknown) => void {
  const done = new WeakSet<object>()
  const theme = findTheme(siteDir)
  const parse = loadParser(createRequire(theme).resolve('@docusaurus/theme-common'), swc)
  const { magicComments, defaultLanguage } = prism
  const highlight = createHighlighter(theme)
  const isLive = findLiveTheme(siteDir)
  const onIdleLive = (place: string): void => console.warn(explainLive(place, i18n.currentLocale))
  const options = {
    highlight,
    isLive,
    onIdleLive,
    parse: (block: object) => parse({ ...block, magicComments, defaultLanguage }),
  }
  return (rules) => {
    const uses = (rules as { use?: RuleUse | RuleUse[] }[]).flatMap(({ use = [] }) => use)
    const loaders = uses.flatMap(({ loader = '', options }) =>
      LOADER.test(loader) && options ? [options] : [],
    )
    if (loaders.length === 0)
      throw new DocusaurusChangedError('no bundler rule uses @docusaurus/mdx-loader with options')
    for (const loader of loaders.filter((loader) => !done.has(loader))) {
      done.add(loader)
      loader.rehypePlugins = [...(loader.rehypePlugins ?? []), [rehypeCode, options]]
      // Made from the options as they were; without them the loader makes its own at the first file.
      loader.processors = undefined
    }
  }
}

/**
 * Aliases of the client bundle: the module that would bring Prism's languages to every page is empty, and blocks that
 * need them ask by another name.
 */
export function createCodeAliases(siteDir: string): { [request: string]: string | false } {
  const module = join(dirname(findTheme(siteDir)), 'prism-include-languages')
  if (!existsSync(`${module}.js`))
    throw new DocusaurusChangedError('theme-classic no longer has lib/prism-include-languages.js')
  // With its extension it is another request, to which the first alias does not apply.
  return { [`${module}$`]: false, '@light-pages/prism-languages$': `${module}.js` }
}

/** Where packages lie only beside those that declare them, the site's preset knows the theme and the site does not. */
function findTheme(siteDir: string): string {
  const site = createRequire(join(siteDir, 'package.json'))
  try {
    return site.resolve('@docusaurus/theme-classic')
  } catch {
    return createRequire(site.resolve('@docusaurus/preset-classic')).resolve('@docusaurus/theme-classic')
  }
}

function findLiveTheme(siteDir: string): boolean {
  try {
    createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/theme-live-codeblock/package.json')
    return true
  } catch {
    return false
  }
}

const explainLive = (place: string, locale: string): string =>
  locale.startsWith('ja')
    ? `[WARNING] ${place}: live のコードは、ふつうのコードとして表示します。動かすには @docusaurus/theme-live-codeblock をサイトに入れて themes に加え、コードの評価を許すコンテンツポリシーが要ります。ゲートはそれを許さないので、live を消すか、動く例をサイトの部品として .mdx に置いてください。`
    : `[WARNING] ${place}: this live code is shown as any other code. To run, it needs @docusaurus/theme-live-codeblock among the site's themes and a content policy that allows evaluating code. The gate allows none: remove "live", or put the example into an .mdx page as a component of the site.`

type Parser = (block: object) => CodeMetadata

/**
 * Loads the theme's parser of code block options, so that a block means the same at build time as in the browser:
 * titles, ranges, line numbers and magic comments of every language. Its file is written for the bundler, in JSX and
 * with a React context beside the parser, so it is compiled on the way in and gets nothing of what lies beside it.
 */
function loadParser(themeCommon: string, swc: Swc): Parser {
  const file = join(dirname(themeCommon), 'utils/codeBlockUtils.js')
  const url = pathToFileURL(file).href
  const hooks = registerHooks({
    resolve: (request, context, next) =>
      context.parentURL === url && request.startsWith('.')
        ? { url: 'data:text/javascript,export const ReactContextError = Error', shortCircuit: true }
        : next(request, context),
    load(loading, context, next) {
      if (loading !== url) return next(loading, context)
      const { source } = next(loading, { ...context, format: 'module' })
      const { code } = swc.transformSync(String(source), {
        jsc: { parser: { syntax: 'ecmascript', jsx: true }, target: 'es2022' },
        module: { type: 'es6' },
      })
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
  try {
    const { createCodeBlockMetadata } = createRequire(file)(file) as { createCodeBlockMetadata?: Parser }
    if (createCodeBlockMetadata === undefined)
      throw new DocusaurusChangedError(`theme-common no longer has createCodeBlockMetadata in ${file}`)
    return createCodeBlockMetadata
  } finally {
    hooks.deregister()
  }
}

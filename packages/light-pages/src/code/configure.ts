import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import { createHighlighter } from './highlight.ts'
import { type CodeMetadata, rehypeCode } from './rehype-code.ts'

/** The compiler that Rspack brings along. */
export interface Swc {
  transformSync(source: string, options: object): { code: string }
}

/** What is read from the site's `themeConfig.prism`. */
export interface PrismConfig {
  additionalLanguages?: readonly string[]
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

/** The languages that code is coloured in: those the site lists for Prism, as it would be without us, or all that Prism has. */
export type CodeLanguages = 'listed' | 'all'

const LOADER = /@docusaurus[\\/]mdx-loader[\\/]/

/** Makes every MDX rule of the site highlight code. Both bundles share the rules' options, so each is changed once. */
export function createCodeConfigurator(
  siteDir: string,
  prism: PrismConfig,
  swc: Swc,
  languages: CodeLanguages,
): (rules: unknown) => void {
  const done = new WeakSet<object>()
  const theme = findTheme(siteDir)
  const parse = loadParser(createRequire(theme).resolve('@docusaurus/theme-common'), swc)
  const { magicComments, defaultLanguage } = prism
  const known = languages === 'all' ? 'all' : (prism.additionalLanguages ?? [])
  const highlight = createHighlighter(theme, known)
  const options = { highlight, parse: (block: object) => parse({ ...block, magicComments, defaultLanguage }) }
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

type Aliases = Readonly<Record<string, string | false>>

const component = (name: string): string =>
  fileURLToPath(new URL(`./components/${name}.tsx`, import.meta.url))

/**
 * Aliases that show finished lines. The module that would bring Prism's languages to every page is empty, and blocks that need
 * them ask by another name. Null where the site or another theme has a code block or languages of its own: what those make of
 * code is theirs.
 * @param known the aliases of the site's theme components
 */
export function createCodeAliases(siteDir: string, known: Aliases): Aliases | null {
  const theme = dirname(findTheme(siteDir))
  const stock = join(theme, 'theme')
  const components = Object.entries(known).filter(([name]) =>
    /^@theme\/(?:CodeBlock|prism-include-languages)(?:\/|$)/.test(name),
  )
  if (components.some(([, file]) => file === false || !file.startsWith(stock))) return null
  const module = join(theme, 'prism-include-languages')
  if (!existsSync(`${module}.js`))
    throw new DocusaurusChangedError('theme-classic no longer has lib/prism-include-languages.js')
  return {
    [`${module}$`]: false,
    // With its extension it is another request, to which the first alias does not apply.
    '@light-pages/prism-languages$': `${module}.js`,
    '@theme-init/CodeBlock$': join(stock, 'CodeBlock/index.js'),
    '@theme-init/CodeBlock/Content$': join(stock, 'CodeBlock/Content/index.js'),
    '@theme/CodeBlock$': component('CodeBlock'),
    '@theme/CodeBlock/Container$': component('CodeBlockContainer'),
    '@theme/CodeBlock/Content$': component('CodeBlockContent'),
  }
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

import { existsSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LoadContext } from '@docusaurus/types'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import type { LineTag } from './code-lines.ts'
import { createHighlighter } from './highlight.ts'
import type { PrismTheme } from './prism-theme.ts'
import { type CodeMetadata, rehypeCode } from './rehype-code.ts'

/** Compiles JSX away and leaves the module's imports as they are. */
type CompileJsx = (source: string) => string

interface Swc {
  transformSync(source: string, options: object): { code: string }
}

interface Babel {
  transformSync(source: string, options: object): { code?: string | null } | null
}

/** The compiler that the site's bundler brings along: SWC with Rspack, else the Babel that Docusaurus itself uses. */
export function findJsxCompiler(siteDir: string, bundler: object): CompileJsx {
  const { experiments } = bundler as { experiments?: { swc?: Swc } }
  const swc = experiments?.swc
  if (swc !== undefined)
    return (source) =>
      swc.transformSync(source, {
        jsc: { parser: { syntax: 'ecmascript', jsx: true }, target: 'es2022' },
        module: { type: 'es6' },
      }).code
  const core = createRequire(
    createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json'),
  )
  const own = createRequire(core.resolve('@docusaurus/babel'))
  const babel: Babel = own('@babel/core')
  const presets = [[own.resolve('@babel/preset-react'), { runtime: 'classic' }]]
  return (source) => babel.transformSync(source, { presets, babelrc: false, configFile: false })?.code ?? ''
}

/** Settings read from the site's `themeConfig.prism`. */
export interface PrismConfig {
  theme?: PrismTheme
  darkTheme?: PrismTheme
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
  { siteDir, i18n }: Pick<LoadContext, 'siteDir' | 'i18n'>,
  prism: PrismConfig,
  compileJsx: CompileJsx,
  languages: CodeLanguages,
): (rules: unknown) => void {
  const done = new WeakSet<object>()
  const theme = findTheme(siteDir)
  const parse = loadParser(createRequire(theme).resolve('@docusaurus/theme-common'), compileJsx)
  const { magicComments, defaultLanguage } = prism
  const highlight = createHighlighter(theme, {
    listed: prism.additionalLanguages ?? [],
    hasAll: languages === 'all',
    themes: [prism.theme, prism.darkTheme].filter((one) => one !== undefined),
  })
  const isLive = findLiveTheme(siteDir)
  const onIdleLive = (place: string): void => console.warn(explainLive(place, i18n.currentLocale))
  const options = {
    highlight,
    lineTag: readLineTag(theme),
    isLive,
    onIdleLive,
    parse: (block: WrittenBlock) => parse({ ...block, magicComments, defaultLanguage }),
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

type Aliases = Readonly<Record<string, string | false>>

const component = (name: string): string =>
  fileURLToPath(new URL(`./components/${name}.tsx`, import.meta.url))

/**
 * Aliases that show finished lines. Prism's languages on every page become an empty module; blocks that need them use another name. Null
 * where the site or a theme replaces the code block or languages, except by a mere wrapper.
 * @param known the site's theme aliases
 */
export function createCodeAliases(siteDir: string, known: Aliases): Aliases | null {
  const theme = dirname(findTheme(siteDir))
  const stock = join(theme, 'theme')
  const components = Object.entries(known).filter(([name]) =>
    /^@theme\/(?:CodeBlock|prism-include-languages)(?:\/|$)/.test(name),
  )
  const isStock = (file: string | false | undefined) => typeof file === 'string' && file.startsWith(stock)
  const others = components.filter(([, file]) => !isStock(file))
  const isWrapped =
    others.length === 1 &&
    others.every(([name, file]) => name === '@theme/CodeBlock' && passesAllOn(file)) &&
    isStock(known['@theme-original/CodeBlock'])
  if (others.length > 0 && !isWrapped) return null
  const module = join(theme, 'prism-include-languages')
  if (!existsSync(`${module}.js`))
    throw new DocusaurusChangedError('theme-classic no longer has lib/prism-include-languages.js')
  // Since Docusaurus 3.8 a block is laid out from a context; before, it is one component.
  const isLaidOut = existsSync(join(stock, 'CodeBlock/Layout'))
  const ours = component(isLaidOut ? 'CodeBlock' : 'WholeCodeBlock')
  return {
    [`${module}$`]: false,
    // With its extension it is another request, to which the first alias does not apply.
    '@light-pages/prism-languages$': `${module}.js`,
    '@theme-init/CodeBlock$': join(stock, 'CodeBlock/index.js'),
    [isWrapped ? '@theme-original/CodeBlock$' : '@theme/CodeBlock$']: ours,
    '@theme/CodeBlock/Container$': component('CodeBlockContainer'),
    ...(isLaidOut
      ? {
          '@theme-init/CodeBlock/Content$': join(stock, 'CodeBlock/Content/index.js'),
          '@theme/CodeBlock/Content$': component('CodeBlockContent'),
        }
      : {}),
  }
}

/** As the theme draws a line. */
function readLineTag(theme: string): LineTag {
  const line = readFileSync(join(dirname(theme), 'theme/CodeBlock/Line/index.js'), 'utf8')
  return line.includes('<span {...lineProps}>') ? 'span' : 'div'
}

/**
 * Recognises a component that passes all its properties unread to the theme's code block, as wrappers of `docusaurus swizzle --wrap` do.
 * Any other mention of its properties disqualifies it.
 */
function passesAllOn(file: string | false): boolean {
  if (file === false || !existsSync(file)) return false
  const source = readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|^\s*\/\/[^\n]*/gms, '')
  const [, block] = /\bimport\s+(\w+)\s+from\s*['"]@theme-original\/CodeBlock['"]/.exec(source) ?? []
  if (block === undefined) return false
  const named = source.match(/\bprops\b/g)?.length
  const declared = source.match(/\(\s*props\s*(?::\s*[\w.<>]+\s*)?\)/g)?.length
  const passed = source.match(new RegExp(`<${block}\\s+\\{\\s*\\.\\.\\.props\\s*\\}\\s*/>`, 'g'))?.length
  const rendered = source.match(new RegExp(`<${block}\\b`, 'g'))?.length
  return named === 2 && declared === 1 && passed === 1 && rendered === 1
}

/** Resolves the theme through the site's preset, since strict package managers hide it from the site. */
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
    ? `[WARNING] ${place}: live のコードは、ふつうのコードとして表示します。動かすには、@docusaurus/theme-live-codeblock をサイトに入れて themes に加え、ゲートの設定に SEKISHO_CSP_ALLOW="script eval" が要ります。動かさないなら live を消してください。`
    : `[WARNING] ${place}: this live code is shown as any other code. To run, it needs @docusaurus/theme-live-codeblock among the site's themes, and SEKISHO_CSP_ALLOW="script eval" in the settings of the gate. If it is not to run, remove "live".`

/** A fenced block as it is written, and what the site's settings say of all. */
interface WrittenBlock {
  readonly code: string
  readonly className: string | undefined
  readonly metastring: string | undefined
  readonly magicComments?: unknown[] | undefined
  readonly defaultLanguage?: string | undefined
}

type Parser = (block: WrittenBlock) => CodeMetadata

/** Exports of theme-common since Docusaurus 3.8, and the subset that existed before. */
interface CodeParsers {
  createCodeBlockMetadata?: Parser
  parseLines?(code: string, options: object): Pick<CodeMetadata, 'code' | 'lineClassNames'>
  parseLanguage?(className: string): string | undefined
  parseCodeBlockTitle?(metastring: string | undefined): string
  containsLineNumbers?(metastring: string | undefined): boolean
}

/**
 * Loads the theme's parser of code block options, so that titles, ranges and magic comments mean the same at build time as in the browser.
 * Its JSX file with a React context is compiled while loading, without its neighbours.
 */
function loadParser(themeCommon: string, compileJsx: CompileJsx): Parser {
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
      return { format: 'module', source: compileJsx(String(source)), shortCircuit: true }
    },
  })
  try {
    const parsers = createRequire(file)(file) as CodeParsers
    const parse = parsers.createCodeBlockMetadata ?? joinParsers(parsers)
    if (parse === null)
      throw new DocusaurusChangedError(`theme-common no longer has createCodeBlockMetadata in ${file}`)
    return parse
  } finally {
    hooks.deregister()
  }
}

/** Puts together what the code block itself did until Docusaurus 3.7. Null where a part is missing. */
export function joinParsers(parsers: CodeParsers): Parser | null {
  const { parseLines, parseLanguage, parseCodeBlockTitle, containsLineNumbers } = parsers
  if (!parseLines || !parseLanguage || !parseCodeBlockTitle || !containsLineNumbers) return null
  return ({ code, className = '', metastring, magicComments, defaultLanguage }) => {
    const language = (parseLanguage(className) ?? defaultLanguage)?.toLowerCase()
    const name = `language-${language}`
    return {
      ...parseLines(code, { metastring, language, magicComments }),
      className:
        language === undefined || className.includes(name) ? className : `${className} ${name}`.trim(),
      language: language ?? 'text',
      title: parseCodeBlockTitle(metastring),
      lineNumbersStart: containsLineNumbers(metastring) ? 1 : undefined,
    }
  }
}

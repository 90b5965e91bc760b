import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import { createHighlighter } from './highlight.ts'
import { readParser, type SwcTransformer } from './read-parser.ts'
import { type RehypeCodeOptions, rehypeCode } from './rehype-code.ts'

/** Options of Docusaurus' MDX loader that are relied upon. */
interface MdxLoaderOptions {
  rehypePlugins?: unknown[]
  processors?: unknown
}

interface Rule {
  use?: unknown
}

/** What is read from the site's `themeConfig.prism`. */
export interface PrismConfig {
  additionalLanguages?: string[]
  magicComments?: unknown[]
  defaultLanguage?: string
}

const LOADER = /@docusaurus[\\/]mdx-loader[\\/]/

/** Makes every MDX rule of the site highlight code. The rules are shared by both bundles, so each is changed once. */
export function createCodeConfigurator(
  siteDir: string,
  prism: PrismConfig,
  swc: SwcTransformer,
): (rules: readonly unknown[]) => void {
  const done = new WeakSet<object>()
  const plugin = [rehypeCode, createOptions(siteDir, prism, swc)]
  return (rules) => {
    const all = rules.flatMap((rule) => listLoaderOptions(rule as Rule))
    if (all.length === 0)
      throw new DocusaurusChangedError('no bundler rule uses @docusaurus/mdx-loader with options')
    for (const options of all) {
      if (done.has(options)) continue
      done.add(options)

      options.rehypePlugins = [...(options.rehypePlugins ?? []), plugin]
      // Made from the options as they were; without them the loader makes its own at the first file.
      options.processors = undefined
    }
  }
}

function listLoaderOptions({ use }: Rule): MdxLoaderOptions[] {
  const items = (Array.isArray(use) ? use : [use]) as (
    | { loader?: string; options?: MdxLoaderOptions }
    | undefined
  )[]
  return items.flatMap((item) =>
    LOADER.test(item?.loader ?? '') && item?.options !== undefined ? [item.options] : [],
  )
}

function createOptions(siteDir: string, prism: PrismConfig, swc: SwcTransformer): RehypeCodeOptions {
  const themeFile = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/theme-classic')
  const common = dirname(createRequire(themeFile).resolve('@docusaurus/theme-common'))
  const parse = readParser(join(common, 'utils/codeBlockUtils.js'), swc)
  const { magicComments, defaultLanguage } = prism
  return {
    highlight: createHighlighter(themeFile, prism.additionalLanguages ?? []),
    parse: (block) => parse({ ...block, magicComments, defaultLanguage }),
  }
}

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rehypeDiagrams } from './diagrams.ts'
import { explainMdxError } from './explain-mdx.ts'
import { findHeavyImages } from './heavy-images.ts'
import { linkTargets } from './link-targets.ts'
import { findSlips } from './markdown.ts'
import { rehypeMathStyles } from './math.ts'
import { PageError, pageError } from './problems.ts'

type Callback = (error: Error | null, code?: string) => void

/** Fields used of the bundler's loader context, and of Docusaurus' options for its loader. */
interface LoaderContext {
  readonly resourcePath: string
  readonly _compiler: { readonly name?: string }
  getOptions(): {
    rehypePlugins?: readonly unknown[]
    processors?: unknown
    readonly siteDir: string
    readonly markdownConfig: { parseFrontMatter(page: object): Promise<{ readonly problem?: string }> }
  }
  async(): Callback
  addDependency(file: string): void
  addMissingDependency(file: string): void
}

/** Docusaurus' loader for Markdown, whose errors say which file and line to change and how. */
export default function loadMarkdown(this: LoaderContext, source: string): void {
  const callback = this.async()
  const options = this.getOptions()
  const { siteDir, markdownConfig, rehypePlugins = [] } = options
  if (!rehypePlugins.includes(rehypeDiagrams)) {
    const hasMath = rehypePlugins
      .flat()
      .some((one) => typeof one === 'function' && one.name === rehypeMathStyles.name)
    options.rehypePlugins = [rehypeDiagrams, ...rehypePlugins, ...(hasMath ? [] : [[rehypeMathStyles, null]])]
    options.processors = undefined // made from the options as they were
  }
  const filePath = this.resourcePath
  const file = path.relative(siteDir, filePath)
  for (const target of linkTargets(siteDir, filePath, source))
    if (existsSync(target)) this.addDependency(target)
    else this.addMissingDependency(target)
  const loader = findMdxLoader(siteDir)
  const require = createRequire(loader)
  const load = require(loader).default
  if (this._compiler.name === 'client')
    for (const slip of [...findSlips(file, source), ...findHeavyImages(siteDir, filePath, source)])
      require('@docusaurus/logger').default.warn(slip)
  const finish: Callback = (error, code) => callback(error === null ? null : explain(error, file), code)
  const context = Object.create(this, {
    async: { value: () => finish },
    getOptions: { value: () => options },
  })
  if (process.env.NODE_ENV === 'production') {
    load.call(context, source)
    return
  }
  const { DEFAULT_PARSE_FRONT_MATTER: defaultParseFrontMatter } = require('@docusaurus/utils')
  markdownConfig
    .parseFrontMatter({ filePath, fileContent: source, defaultParseFrontMatter })
    .then(
      ({ problem }) => (problem === undefined ? load.call(context, source) : finish(pageError(problem))),
      finish,
    )
}

/** The file of Docusaurus' own loader, which a site may have only below its core package. */
export function findMdxLoader(siteDir: string): string {
  const core = createRequire(path.join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
  return createRequire(core).resolve('@docusaurus/mdx-loader')
}

function explain(error: Error, file: string): Error {
  if (error instanceof PageError || !(error.cause instanceof Error)) return error
  return error.cause instanceof PageError ? error.cause : pageError(explainMdxError(file, error.cause))
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { LoadContext, OptionValidationContext, Plugin } from '@docusaurus/types'
import type { Message } from '@sekisho/contract/language'
import { SekishoOptionsError } from '../options.ts'
import { keepProblem } from '../writing/kept-problem.ts'
import { PageError, toldError } from '../writing/problems.ts'
import { optionProblemOf as problemOf } from '../writing/texts/index.ts'
import { writePages } from './pages.ts'
import { readDocument } from './read-document.ts'
import { createSampleBodies } from './samples.ts'
import { textsFor } from './texts/index.ts'

/** A site's options for an API; all further ones are those of Docusaurus' docs plugin. */
export interface OpenApiOptions {
  /** The definition, in YAML or JSON, relative to the site. */
  readonly file: string
  /** Has to begin with `openapi`, by which the search counts the pages among the documents. Default: `openapi`. */
  readonly id?: string
  /** Path of the pages. Default: `api`. */
  readonly routeBasePath?: string
  readonly [docsOption: string]: unknown
}

type ResolvedOptions = Required<Pick<OpenApiOptions, 'file' | 'id' | 'routeBasePath'>> & OpenApiOptions

interface DocsPlugin {
  readonly default: (context: LoadContext, options: object) => Promise<Plugin<unknown>>
  readonly validateOptions: (given: { options: object; validate: typeof validate }) => object
}

/** As much of a Joi schema as is needed here. */
interface Schema {
  append(fields: object): Schema
  validate(options: object): { readonly error?: Error; readonly value: object }
}

/**
 * The reference of an API out of its OpenAPI definition: Markdown that Docusaurus' own docs plugin reads, so that sidebar, search,
 * highlighting and everything else is as on any other page, and pages need no code of their own (decisions/115).
 */
export default async function openapi(
  context: LoadContext,
  options: ResolvedOptions,
): Promise<Plugin<unknown>> {
  const { siteDir, siteConfig, generatedFilesDir, i18n } = context
  const { file, id, ...docsOptions } = options
  const folder = path.join(generatedFilesDir, '..', '.cache', `sekisho-${id}`)
  const texts = textsFor(i18n.currentLocale)
  let sources: readonly string[] = [path.resolve(siteDir, file)]

  const write = async (): Promise<void> => {
    const { document, files } = await readDocument(siteDir, file)
    sources = files
    const origin = siteConfig.url.replace(/\/$/, '')
    const sample = createSampleBodies(siteDir, document)
    replaceFiles(folder, writePages({ document, texts, sample, origin }))
  }
  const generate = async (): Promise<void> => {
    if (process.env.NODE_ENV === 'production') return write()
    // While writing, the page shows the problem, and the rest of the site goes on.
    const problem = await write().then(
      () => null,
      (error: unknown) => {
        if (!(error instanceof PageError)) throw error
        return error.message
      },
    )
    mkdirSync(folder, { recursive: true })
    keepProblem(folder, problem)
    if (problem !== null && !existsSync(path.join(folder, 'index.md')))
      writeFileSync(path.join(folder, 'index.md'), unreadPage(texts.unread))
  }
  await generate()

  const docs = findDocsPlugin(siteDir)
  const defaults = { path: folder, numberPrefixParser: false, breadcrumbs: true }
  const { id: _id, ...validated } = {
    id,
    ...docs.validateOptions({ options: { ...defaults, ...docsOptions }, validate }),
  }
  const plugin = await docs.default(context, { ...validated, id })
  return {
    ...plugin,
    async loadContent() {
      await generate()
      return plugin.loadContent?.()
    },
    getPathsToWatch: () => [...sources],
  }
}

/** The only page of a definition that could not be read yet. */
const unreadPage = (title: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(title)}\n---\n`

/** Docusaurus' hook for checking what the site's config says. */
export function validateOptions({
  options,
}: OptionValidationContext<OpenApiOptions, ResolvedOptions>): ResolvedOptions {
  const { file, id = 'openapi', routeBasePath = 'api' } = options
  const problems: Message[] = []
  if (typeof file !== 'string' || file === '') problems.push(problemOf('openapi_file'))
  // Docusaurus names a plugin "default" where the config gives no id.
  const own = id === 'default' ? 'openapi' : id
  if (!/^openapi[\w-]*$/.test(own)) problems.push(problemOf('openapi_id'))
  if (problems.length > 0) throw toldError(new SekishoOptionsError(problemOf('openapi_not_right'), problems))
  return { ...options, file, id: own, routeBasePath }
}

function validate(schema: Schema, options: object): object {
  const { error, value } = schema.validate(options)
  if (error !== undefined)
    throw toldError(new SekishoOptionsError(problemOf('openapi_not_right'), [error.message]))
  return value
}

/** The docs plugin that the site has, by itself or below the preset. */
function findDocsPlugin(siteDir: string): DocsPlugin {
  const fromSite = createRequire(path.join(siteDir, 'package.json'))
  try {
    return fromSite('@docusaurus/plugin-content-docs')
  } catch (error) {
    if (Object(error).code !== 'MODULE_NOT_FOUND') throw error
    return createRequire(fromSite.resolve('@docusaurus/preset-classic'))('@docusaurus/plugin-content-docs')
  }
}

/** Makes the folder hold these files and no others; what has not changed stays untouched, so that no bundler reads it again. */
function replaceFiles(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(name.parentPath, name.name)
    if (name.isFile() && !files.has(path.relative(folder, file).split(path.sep).join('/'))) rmSync(file)
  }
  for (const [name, text] of files) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    if (readIfThere(file) !== text) writeFileSync(file, text)
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

import { createRequire } from 'node:module'
import { createTypeDivider, type DividedTypes, type PrismTheme } from './prism-theme.ts'

/** A token as prism-react-renderer's `normalizeTokens` returns it, line by line. */
interface Token {
  types: string[]
  content: string
}

interface PrismLibrary {
  languages: { [name: string]: object | undefined }
  hooks: { run(name: string, block: PrismBlock): void }
  tokenize(code: string, grammar: object): unknown[]
}

/** Data of Prism's hooks before and after a block; JSX, PHP and Markdown need more than a grammar. */
interface PrismBlock {
  code: string
  grammar: object
  language: string
  tokens: unknown[]
}

/** Prism's list of its languages. */
interface Components {
  languages: { readonly [id: string]: { readonly require?: string | readonly string[] } }
}

/** Prism's own resolver of what a language builds upon, in the order in which it has to be loaded. */
type GetLoader = (
  components: Components,
  languages: readonly string[],
  loaded: readonly string[],
) => { getIds(): string[] }

/** Returns each line of code as HTML of `token` spans. */
export type Highlighter = (code: string, language: string) => string[]

/** Names that GitHub and Shiki know for languages that Prism has under another one. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['console', 'shell-session'],
  ['fish', 'bash'],
  ['golang', 'go'],
  ['jsonc', 'json'],
  ['proto', 'protobuf'],
  ['rs', 'rust'],
  ['svelte', 'markup'],
  ['terraform', 'hcl'],
  ['tf', 'hcl'],
  ['vue', 'markup'],
  ['zsh', 'bash'],
])

/** The languages that code is coloured in, and the themes. */
interface HighlightOptions {
  /** Those that the site lists for Prism. */
  readonly listed: readonly string[]
  /** Loads every other language of Prism when a page first names it. */
  readonly hasAll: boolean
  /** Themes for the style sheet of `writePrismCss`; none where colours are the site's own CSS. */
  readonly themes: readonly PrismTheme[]
}

/**
 * Creates a highlighter that renders like the stock theme in the browser, with the same Prism: its bundled languages and those a site
 * lists, or all.
 * @param themeFile a file of the classic theme, from which Prism is resolved
 */
export function createHighlighter(
  themeFile: string,
  { listed, hasAll, themes }: HighlightOptions,
): Highlighter {
  const require = createRequire(themeFile)
  const { Prism, normalizeTokens } = loadAnew<{
    Prism: PrismLibrary
    normalizeTokens(tokens: unknown[]): Token[][]
  }>(require, 'prism-react-renderer')
  const { languages: components } = require('prismjs/components.js') as Components
  for (const name of listed) addListed(require, Prism, components, name)
  const asked = new Set<string>()
  const divide = createTypeDivider(themes)
  return (code, language) => {
    const name = hasAll ? (ALIASES.get(language) ?? language) : language
    if (hasAll && !asked.has(name)) {
      asked.add(name)
      if (Prism.languages[name] === undefined) addUnlisted(require, Prism, name)
    }
    const write = (token: Token) => writeToken(token, (types) => divide(types, language))
    return normalizeTokens(readTokens(Prism, code, name)).map((line) => line.map(write).join(''))
  }
}

/** Reads code as prism-react-renderer's `useTokenize` does. */
function readTokens(Prism: PrismLibrary, code: string, language: string): unknown[] {
  const grammar = Prism.languages[language]
  if (grammar === undefined) return [code]
  const block: PrismBlock = { code, grammar, language, tokens: [] }
  Prism.hooks.run('before-tokenize', block)
  block.tokens = Prism.tokenize(code, grammar)
  Prism.hooks.run('after-tokenize', block)
  return block.tokens
}

/** Loads a fresh copy of a module: additions to this Prism stay with its highlighter. */
function loadAnew<T>(require: NodeJS.Require, request: string): T {
  const file = require.resolve(request)
  const before = require.cache[file]
  delete require.cache[file]
  try {
    return require(file)
  } finally {
    if (before === undefined) delete require.cache[file]
    else require.cache[file] = before
  }
}

/**
 * Loads Prism's own grammar of a language that the site lists, even where prism-react-renderer comes with one, as the stock theme
 * does. What it builds upon stays prism-react-renderer's, where that has it, for the same reason.
 */
function addListed(
  require: NodeJS.Require,
  Prism: PrismLibrary,
  components: Components['languages'],
  name: string,
): void {
  const component = Object.hasOwn(components, name) ? components[name] : undefined
  if (component === undefined) return
  for (const needed of [component.require ?? []].flat())
    if (Prism.languages[needed] === undefined) addListed(require, Prism, components, needed)
  runComponents(require, Prism, [name])
}

/** Loads a language that Prism does not know, and what belongs to it. */
function addUnlisted(require: NodeJS.Require, Prism: PrismLibrary, name: string): void {
  const components = require('prismjs/components.js') as Components
  const getLoader = require('prismjs/dependencies.js') as GetLoader
  const ids = getLoader(components, [name], Object.keys(Prism.languages)).getIds()
  runComponents(
    require,
    Prism,
    ids.filter((id) => Object.hasOwn(components.languages, id)),
  )
}

/** Prism's component files add themselves to a global; the theme lends it in the same way. */
function runComponents(require: NodeJS.Require, Prism: PrismLibrary, ids: readonly string[]): void {
  const scope = globalThis as { Prism?: unknown }
  const before = scope.Prism
  scope.Prism = Prism
  try {
    for (const id of ids) loadAnew(require, `prismjs/components/prism-${id}`)
  } finally {
    scope.Prism = before
  }
}

function writeToken({ types, content }: Token, divide: (types: readonly string[]) => DividedTypes): string {
  const text = escapeHtml(content === '\n' ? '' : content)
  const names = types.filter((type) => type !== 'plain')
  if (names.length === 0 || text === '') return text
  return divide(names).reduceRight(
    (inside, own) => `<span class="token ${own.join(' ')}">${inside}</span>`,
    text,
  )
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

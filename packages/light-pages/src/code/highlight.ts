import { createRequire } from 'node:module'

/** A token as prism-react-renderer's `normalizeTokens` returns it, line by line. */
interface Token {
  types: string[]
  content: string
}

interface PrismLibrary {
  languages: { [name: string]: object | undefined }
  tokenize(code: string, grammar: object): unknown[]
}

/** Prism's own resolver of what a language builds upon, in the order in which it has to be loaded. */
type GetLoader = (
  components: object,
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

/**
 * Creates a highlighter that returns what the stock theme renders in the browser, by the same Prism: in the languages that it
 * comes with and those that a site lists; or in all that Prism has, each loaded when a page first names it.
 * @param themeFile a file of the classic theme, from which Prism is resolved
 */
export function createHighlighter(themeFile: string, languages: 'all' | readonly string[]): Highlighter {
  const require = createRequire(themeFile)
  const { Prism, normalizeTokens } = require('prism-react-renderer') as {
    Prism: PrismLibrary
    normalizeTokens(tokens: unknown[]): Token[][]
  }
  const asked = new Set<string>()
  if (languages !== 'all') for (const name of languages) addLanguage(require, Prism, name)
  return (code, language) => {
    const name = languages === 'all' ? (ALIASES.get(language) ?? language) : language
    if (languages === 'all' && !asked.has(name)) {
      asked.add(name)
      addLanguage(require, Prism, name)
    }
    const grammar = Prism.languages[name]
    const tokens = grammar === undefined ? [code] : Prism.tokenize(code, grammar)
    return normalizeTokens(tokens).map((line) => line.map(writeToken).join(''))
  }
}

/** The languages to load, in order, so that Prism knows `names`; those it already knows or never heard of are left out. */
function languagesToLoad(
  require: NodeJS.Require,
  names: readonly string[],
  known: readonly string[],
): string[] {
  const components = require('prismjs/components.js') as { languages: { [id: string]: unknown } }
  const getLoader = require('prismjs/dependencies.js') as GetLoader
  const ids = getLoader(components, names, known).getIds()
  return ids.filter((id) => Object.hasOwn(components.languages, id))
}

/** Prism's component files add themselves to a global; the theme lends it in the same way. */
function addLanguage(require: NodeJS.Require, Prism: PrismLibrary, name: string): void {
  if (Prism.languages[name] !== undefined) return
  const scope = globalThis as { Prism?: unknown }
  const before = scope.Prism
  scope.Prism = Prism
  try {
    for (const id of languagesToLoad(require, [name], Object.keys(Prism.languages))) {
      const file = require.resolve(`prismjs/components/prism-${id}`)
      delete require.cache[file]
      require(file)
    }
  } finally {
    scope.Prism = before
  }
}

function writeToken({ types, content }: Token): string {
  const text = escapeHtml(content === '\n' ? '' : content)
  const names = types.filter((type) => type !== 'plain')
  return names.length === 0 || text === '' ? text : `<span class="token ${names.join(' ')}">${text}</span>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

import { createRequire } from 'node:module'

/** A token as prism-react-renderer's `normalizeTokens` answers it, line by line. */
interface Token {
  types: string[]
  content: string
}

interface PrismLibrary {
  languages: { [name: string]: object | undefined }
  tokenize(code: string, grammar: object): unknown[]
}

/** Answers each line of code as HTML of `token` spans. */
export type Highlighter = (code: string, language: string) => string[]

/**
 * Creates a highlighter that answers what the stock theme renders in the browser: the same Prism, the same
 * languages, resolved from the theme itself.
 */
export function createHighlighter(themeFile: string, additionalLanguages: readonly string[]): Highlighter {
  const require = createRequire(themeFile)
  const { Prism, normalizeTokens } = require('prism-react-renderer') as {
    Prism: PrismLibrary
    normalizeTokens(tokens: unknown[]): Token[][]
  }
  addLanguages(require, Prism, additionalLanguages)
  return (code, language) => {
    const grammar = Prism.languages[language]
    const tokens = grammar === undefined ? [code] : Prism.tokenize(code, grammar)
    return normalizeTokens(tokens).map((line) => line.map(writeToken).join(''))
  }
}

/** Prism's component files add themselves to a global; the theme lends it in the same way. */
function addLanguages(require: NodeJS.Require, Prism: PrismLibrary, languages: readonly string[]): void {
  const scope = globalThis as { Prism?: unknown }
  const before = scope.Prism
  scope.Prism = Prism
  try {
    for (const language of languages) {
      if (language === 'php') load(require, 'markup-templating')
      load(require, language)
    }
  } finally {
    scope.Prism = before
  }
}

function load(require: NodeJS.Require, language: string): void {
  const file = require.resolve(`prismjs/components/prism-${language}`)
  delete require.cache[file]
  require(file)
}

function writeToken({ types, content }: Token): string {
  const text = escapeHtml(content === '\n' ? '' : content)
  const names = types.filter((type) => type !== 'plain')
  return names.length === 0 || text === '' ? text : `<span class="token ${names.join(' ')}">${text}</span>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

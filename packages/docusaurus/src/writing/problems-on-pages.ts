import { readFileSync } from 'node:fs'

/** What is used of the bundler. */
interface Compilation {
  readonly fileDependencies: { add(file: string): void }
  readonly warnings: { push(warning: Error): void }
}
interface Compiler {
  readonly hooks: {
    readonly afterCompile: { tap(name: string, does: (compilation: Compilation) => void): void }
  }
}

/**
 * Shows over the page what a build in the background has found wrong with the site, and what Docusaurus only warns of in the
 * terminal. Warnings, not errors: those would keep every other edit from the page until they are mended.
 * @param file a list of sentences, as JSON, that is written anew after each build
 */
export function problemsOnPages(file: string) {
  return {
    apply(compiler: Compiler) {
      compiler.hooks.afterCompile.tap('sekisho-problems', (compilation) => {
        compilation.fileDependencies.add(file)
        for (const problem of readProblems(file)) compilation.warnings.push(problem)
      })
    },
  }
}

/** The overlay of the development server shows warnings, too. */
export const OVERLAY = { client: { overlay: { errors: true, warnings: true } } }

function readProblems(file: string): Error[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return Array.isArray(list) ? list.map((text) => Object.assign(new Error(String(text)), { stack: '' })) : []
}

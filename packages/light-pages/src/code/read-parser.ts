import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import type { CodeMetadata } from './rehype-code.ts'

/** Rspack brings SWC along. */
export interface SwcTransformer {
  transformSync(source: string, options: object): { code: string }
}

/** The theme's parser of code block options: titles, ranges, line numbers and magic comments of every language. */
export type CodeBlockParser = (params: object) => CodeMetadata

/**
 * Loads the parser out of theme-common, so that a block means the same at build time as in the browser. Its file
 * is written for the bundler (JSX, a React context beside the parser), hence compiled here and run on its own.
 */
export function readParser(file: string, swc: SwcTransformer): CodeBlockParser {
  const { code } = swc.transformSync(readFileSync(file, 'utf8'), {
    jsc: { parser: { syntax: 'ecmascript', jsx: true }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const require = createRequire(file)
  const module = { exports: {} as { createCodeBlockMetadata?: CodeBlockParser } }
  const run = new Function('module', 'exports', 'require', code) as (...args: unknown[]) => void
  run(module, module.exports, (request: string) => (request.startsWith('.') ? {} : require(request)))
  const { createCodeBlockMetadata } = module.exports
  if (createCodeBlockMetadata === undefined) {
    throw new DocusaurusChangedError(
      'theme-common no longer has createCodeBlockMetadata in lib/utils/codeBlockUtils.js',
    )
  }
  return createCodeBlockMetadata
}

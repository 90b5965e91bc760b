import type { SwcTransformer } from '../code/read-parser.ts'

/** The bundler as Docusaurus hands it to plugins. */
export interface Bundler {
  experiments: { swc: SwcTransformer }
  BannerPlugin?: new (options: object) => object
  SwcJsMinimizerRspackPlugin?: new (options: object) => object
  NormalModuleReplacementPlugin: new (
    request: RegExp,
    replace: (resource: { request: string; contextInfo: { issuer: string } }) => void,
  ) => object
}

/**
 * The minimisers with JavaScript written as UTF-8: Docusaurus asks for ASCII, in which every Japanese
 * character takes six bytes (`\u3042`) that compress badly.
 */
export function toUtf8Minimizers(minimizers: readonly unknown[], bundler: Bundler): unknown[] {
  const { SwcJsMinimizerRspackPlugin } = bundler
  if (SwcJsMinimizerRspackPlugin === undefined) return [...minimizers]
  const javascript = new SwcJsMinimizerRspackPlugin({
    minimizerOptions: {
      minify: true,
      module: true,
      ecma: 2022,
      compress: { ecma: 2022, passes: 2 },
      mangle: true,
      format: { ecma: 2022, comments: false, ascii_only: false },
    },
  })
  return minimizers.map((minimizer) => (isJavaScript(minimizer) ? javascript : minimizer))
}

function isJavaScript(minimizer: unknown): boolean {
  return (minimizer as { name?: string } | undefined)?.name === 'SwcJsMinimizerRspackPlugin'
}

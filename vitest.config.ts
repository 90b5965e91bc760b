import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What stands for a module that Docusaurus makes while it builds a site. */
const generated = (name: string): string =>
  fileURLToPath(new URL(`packages/docusaurus/test/generated-${name}.ts`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: {
      '@generated/i18n': generated('i18n'),
      '@generated/sekisho-docusaurus/default/search-page.json': generated('search-page'),
    },
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/src/**/*.test.tsx',
      'packages/*/test/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    testTimeout: 30_000,
  },
})

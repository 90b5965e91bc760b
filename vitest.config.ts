import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: {
      '@generated/i18n': fileURLToPath(
        new URL('packages/docusaurus/test/generated-i18n.ts', import.meta.url),
      ),
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

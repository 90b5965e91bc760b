import { defineConfig } from 'vitest/config'

/** Tests that need a real PostgreSQL: one is started for all of them, and only when one of them runs. */
const POSTGRES = ['packages/*/{src,test}/**/*.postgres.test.ts']

export default defineConfig({
  test: {
    testTimeout: 30_000,
    // Whatever the locale of the developer: tests read what commands print.
    env: { SEKISHO_LANG: 'en' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/src/**/*.test.tsx',
            'packages/*/test/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...POSTGRES],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: POSTGRES,
          globalSetup: 'packages/gate/src/testing/postgres-setup.ts',
        },
      },
    ],
  },
})

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Stand-in for a module that Docusaurus makes while it builds a site. */
const generated = (name: string): string =>
  fileURLToPath(new URL(`packages/docusaurus/test/generated-${name}.ts`, import.meta.url))

/** Tests that need a real PostgreSQL: one is started for all of them, and only when one of them runs. */
const POSTGRES = ['packages/*/{src,test}/**/*.postgres.test.ts']

/** Packages, and copies of this repository that tests build. */
const NOT_OURS = ['**/node_modules/**', '**/.cache/**']

/** Tests of minutes, which install packages, build whole sites or repeat the prover's every phase: `npm run test:long`. */
const LONG = ['packages/**/*.long.test.ts']
/** Try few on each change and all at night: one broken gate for each rule, a part of the connections, characters or sessions. */
const MORE_AT_NIGHT = [
  'packages/sekisho/test/verify/verify.test.ts',
  'packages/sekisho/test/bounds/*.test.ts',
  'packages/server/src/state/sessions/many-sessions.test.ts',
  'packages/wire/test/llhttp.test.ts',
]

/** Temporary folder of this run, which goes with all that its tests leave; PostgreSQL enters it from another account. */
const TEMPORARY = mkdtempSync(join(tmpdir(), 'sekisho-tests-'))
chmodSync(TEMPORARY, 0o755)
process.env.TMPDIR = TEMPORARY
process.once('exit', () => rmSync(TEMPORARY, { recursive: true, force: true }))

/** Tests that start gates as processes begin first, so that none is alone at the end with the other cores idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('packages/sekisho/test/')
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

export default defineConfig({
  resolve: {
    alias: {
      '@generated/sekisho-docusaurus/default/search-scopes.json': generated('search-scopes'),
      '@generated/sekisho-docusaurus/default/search-page.json': generated('search-page'),
    },
  },
  test: {
    // To start a process for each file and import its modules anew was more than a third of all that tests computed.
    isolate: false,
    setupFiles: fileURLToPath(new URL('vitest.setup.ts', import.meta.url)),
    // Limits for what never comes, not for what is slow: a busy machine may take long over anything.
    testTimeout: 90_000,
    // Tests wait for servers and processes nearly as long as they compute: with a worker for each core, almost half of two cores was idle.
    maxWorkers: availableParallelism() + 2,
    // With V8's small young generation, a tenth of the time of a test of many requests went to garbage collection.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    // A poll waits for what is to come, however busy the machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 90_000,
    // As of browser tests: what a busy machine lets fail once is tried again there; `scripts/test.mjs` names it.
    retry: process.env.CI === undefined ? 0 : 1,
    // Whatever the locale of the developer: tests read what commands print.
    env: { SEKISHO_LANG: 'en', PAGE_LANGUAGE: 'ja' },
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
            'lab/**/*.test.ts',
          ],
          exclude: [...NOT_OURS, ...POSTGRES, ...LONG],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...LONG, ...MORE_AT_NIGHT],
          exclude: NOT_OURS,
          env: { TEST_LONG: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: POSTGRES,
          globalSetup: 'packages/server/src/state/testing/postgres/postgres-setup.ts',
        },
      },
    ],
  },
})

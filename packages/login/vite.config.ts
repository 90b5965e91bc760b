import { LOGIN_PREFIX } from '@sekisho/contract/routes'
import { defineConfig } from 'vite'
import { gateColours } from './build/gate-colours.ts'
import { writeLoginManifest } from './build/login-manifest.ts'

/** A flow's file has the name of its kind, whose folder its module `flow.ts` is in. */
const nameOf = (moduleIds: readonly string[]) =>
  moduleIds.map((id) => /([a-z]+)\/flow\.tsx?$/.exec(id)?.[1]).find((name) => name !== undefined) ?? 'shared'

/** Builds scripts and styles only: the HTML around them is the gate's, rendered for each answer. */
export default defineConfig({
  base: LOGIN_PREFIX,
  publicDir: false,
  plugins: [gateColours(), writeLoginManifest()],
  resolve: {
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  build: {
    target: 'baseline-widely-available',
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    license: { fileName: 'license.md' },
    rolldownOptions: {
      input: { login: 'src/main.tsx' },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: ({ moduleIds }) => `assets/${nameOf(moduleIds)}-[hash].js`,
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})

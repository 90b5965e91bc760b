import { LOGIN_PREFIX } from '@sekisho/contract/routes'
import { defineConfig } from 'vite'
import { writeLoginManifest } from './build/login-manifest.ts'

/** Builds scripts and styles only: the HTML around them is the gate's, rendered for each answer. */
export default defineConfig({
  base: LOGIN_PREFIX,
  publicDir: false,
  plugins: [writeLoginManifest()],
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
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: false,
      },
    },
  },
})

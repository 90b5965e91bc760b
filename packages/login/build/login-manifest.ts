import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type LoginManifest, SHELL_TAGLINE, SHELL_TITLE } from '@sekisho/contract/login-page'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Plugin } from 'vite'
import { LoadingPage } from '../src/components/loading-page.tsx'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page as it is before its script runs: a slow line shows whose portal it is with the first bytes. */
export function renderShell(): string {
  return renderToStaticMarkup(
    createElement(LoadingPage, { site: { title: SHELL_TITLE, tagline: SHELL_TAGLINE } }),
  )
}

/** Lists the built files under `login.json`; a file of a type not listed here fails the build. */
export function writeLoginManifest(): Plugin {
  return {
    name: 'sekisho:login-manifest',
    enforce: 'post', // Vite emits the style sheet last.
    async buildStart() {
      const source = await readFile(new URL('../src/mark.svg', import.meta.url))
      this.emitFile({ type: 'asset', name: 'mark.svg', source })
    },
    generateBundle(_, bundle) {
      const source = `${JSON.stringify({ ...readManifest(Object.keys(bundle)), shell: renderShell() }, null, 2)}\n`
      this.emitFile({ type: 'asset', fileName: 'login.json', source })
    },
  }
}

/** Sorts built file names into the parts a login page needs. */
export function readManifest(paths: readonly string[]): Omit<LoginManifest, 'shell'> {
  const files = paths.toSorted().map((path) => ({ path, type: typeOf(path) }))
  return {
    script: only(paths, '.js'),
    styles: paths.filter((path) => path.endsWith('.css')),
    icon: only(paths, '.svg'),
    files,
  }
}

function typeOf(path: string): string {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`The login page does not serve files like ${path}`)
  return type
}

function only(paths: readonly string[], extension: string): string {
  const [path, ...others] = paths.filter((candidate) => candidate.endsWith(extension))
  if (path === undefined || others.length > 0)
    throw new Error(`The login page needs exactly one ${extension} file`)
  return path
}

import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { LoginManifest } from '@sekisho/contract/login-page'
import type { Plugin } from 'vite'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
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
      const source = `${JSON.stringify(readManifest(Object.keys(bundle)), null, 2)}\n`
      this.emitFile({ type: 'asset', fileName: 'login.json', source })
    },
  }
}

/** Sorts built file names into the parts a login page needs. */
export function readManifest(paths: readonly string[]): LoginManifest {
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

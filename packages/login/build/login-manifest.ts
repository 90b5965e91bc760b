import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import {
  LOGIN_KIND_NAMES,
  type LoginManifest,
  SHELL_TAGLINE,
  SHELL_TITLE,
} from '@sekisho/contract/login-page'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Plugin, Rolldown } from 'vite'
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
      const source = `${JSON.stringify({ ...readManifest(listFiles(bundle)), shell: renderShell() }, null, 2)}\n`
      this.emitFile({ type: 'asset', fileName: 'login.json', source })
    },
  }
}

/** A built file; a script is the page's own or that of a kind's flow. */
interface BuiltFile {
  readonly path: string
  /** Of the module that a script begins with. */
  readonly entry?: 'page' | 'flow'
}

function listFiles(bundle: Rolldown.OutputBundle): readonly BuiltFile[] {
  return Object.values(bundle).map((file) => {
    if (file.type === 'asset' || !(file.isEntry || file.isDynamicEntry)) return { path: file.fileName }
    return { path: file.fileName, entry: file.isEntry ? 'page' : 'flow' }
  })
}

/** Sorts built files into the parts a login page needs; a flow's file has the name of its kind. */
export function readManifest(built: readonly BuiltFile[]): Omit<LoginManifest, 'shell'> {
  const paths = built.map(({ path }) => path)
  const files = paths.toSorted().map((path) => ({ path, type: typeOf(path) }))
  const scripts = (entry: BuiltFile['entry']) =>
    built.filter((file) => file.entry === entry && file.path.endsWith('.js')).map(({ path }) => path)
  const flowOf = (kind: string) => only(scripts('flow'), `assets/${kind}-`, `the flow of ${kind}`)
  return {
    script: only(scripts('page'), '', 'the page'),
    flows: Object.fromEntries(LOGIN_KIND_NAMES.map((kind) => [kind, flowOf(kind)])),
    styles: paths.filter((path) => path.endsWith('.css')),
    icon: only(
      paths.filter((path) => path.endsWith('.svg')),
      '',
      'the icon',
    ),
    files,
  }
}

function typeOf(path: string): string {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`The login page does not serve files like ${path}`)
  return type
}

function only(paths: readonly string[], prefix: string, what: string): string {
  const [path, ...others] = paths.filter((candidate) => candidate.startsWith(prefix))
  if (path === undefined || others.length > 0)
    throw new Error(`The login page needs exactly one file for ${what}`)
  return path
}

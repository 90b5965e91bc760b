import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ParserOptions, parse } from '@babel/parser'

const PACKAGES = new URL('../../../', import.meta.url)
/** Packages that the server loads whole; of others it loads a part. */
const ROOMS = 'server,wire,contract,search'
const SYNTAX: ParserOptions = { sourceType: 'module', plugins: ['typescript'] }

/** A module that a running gate loads, in its main thread or in one of its workers. */
export interface ServerModule {
  readonly url: string
  /** Path below `packages`. */
  readonly name: string
  readonly text: string
  readonly ast: ReturnType<typeof parse>
}

/** Every module of the server's rooms, and those of ours that they import or start as workers; tests and type imports are left out. */
export function findServerModules(): readonly ServerModule[] {
  const found = new Map<string, ServerModule>()
  const paths = globSync(`{${ROOMS}}/src/**/*.ts`, { cwd: fileURLToPath(PACKAGES) })
  const waiting = paths
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .map((path) => new URL(path, PACKAGES).href)
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (found.has(url)) continue
    const text = readFileSync(fileURLToPath(url), 'utf8')
    const module = { url, name: url.slice(PACKAGES.href.length), text, ast: parse(text, SYNTAX) }
    found.set(url, module)
    waiting.push(...targetsOf(module))
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The modules that a module imports, or names by `new URL('./…', import.meta.url)` to start them as workers. */
function targetsOf({ url, text, ast }: ServerModule): readonly string[] {
  const declared = ast.program.body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration')
      return statement.importKind === 'type' ? [] : [statement.source.value]
    if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration')
      return statement.exportKind === 'type' ? [] : [statement.source?.value ?? '']
    return []
  })
  const later = text.matchAll(/\bimport\('([^']+)'\)|new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)
  const { resolve } = createRequire(url)
  return [...declared, ...[...later].map(([, name, worker]) => name ?? worker ?? '')].flatMap((name) => {
    if (name.startsWith('.')) return [new URL(name, url).href]
    return name.startsWith('@sekisho/') ? [pathToFileURL(resolve(name)).href] : []
  })
}

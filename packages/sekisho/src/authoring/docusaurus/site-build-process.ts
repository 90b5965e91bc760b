import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/** Modules that most builds load, found from Docusaurus. */
const PRELOADED = [
  '@docusaurus/core/lib/index.js',
  '@docusaurus/plugin-content-docs',
  '@docusaurus/plugin-content-blog',
  '@docusaurus/theme-classic',
  '@docusaurus/faster',
]

// A process for one build: it loads Docusaurus at once, and runs the command that comes through its standard input.
const [docusaurus = ''] = process.argv.slice(2)
const order = text(process.stdin)
process.env.BABEL_ENV ??= 'development' // as Docusaurus' own command line does before it loads anything
process.env.NODE_ENV ??= 'development'
const { resolve } = createRequire(docusaurus)
try {
  for (const name of PRELOADED) await import(pathToFileURL(resolve(name)).href)
  await import('./index.ts')
} catch {
  // What a site lacks its build does not need.
}
const command = await order
if (command !== '') {
  const { args, cwd, variables } = JSON.parse(command)
  process.chdir(cwd)
  Object.assign(process.env, variables)
  process.argv = [process.execPath, docusaurus, ...args]
  await import(pathToFileURL(docusaurus).href)
}

import { ROOMS, readRoomPackage } from './rooms.ts'

/** Minimum version of Node; bin/installed.mjs reports it before loading anything else. */
const NODE = '>=24'

/** Versions of the site's own packages that the theme works with; a server without a site has none of them. */
const PEERS = {
  '@docusaurus/core': '>=3.6.0 <4',
  react: '^18.0.0 || ^19.0.0',
  'react-dom': '^18.0.0 || ^19.0.0',
}

/** Files and folders of the repository that the package has as they are. */
export const COPIED = ['deploy', 'CHANGELOG.md', 'LICENSE'] as const

/** The package.json of the one package that users install: what our packages need, and nothing of this repository. */
export function describePackage() {
  const { exports = {}, devDependencies = {}, ...described } = readRoomPackage('sekisho')
  const needed = ROOMS.map((room) => readRoomPackage(room).dependencies ?? {})
  // What only the commands for a site need is a development dependency here, where a server is installed without it.
  const dependencies = Object.assign({}, ...needed, devDependencies)
  const names = Object.keys(dependencies).filter(
    (name) => !name.startsWith('@sekisho/') && name !== 'sekisho',
  )
  return {
    ...described,
    private: undefined,
    engines: { node: NODE },
    publishConfig: { access: 'public', provenance: true },
    bin: { sekisho: './bin/installed.mjs' },
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([name, file]) => [name, compiled(file)])),
      './package.json': './package.json',
    },
    sideEffects: ['**/*.css', './dist/docusaurus/**', './dist/light-pages/**'],
    files: ['bin', 'dist', 'NOTICES.md', ...COPIED],
    dependencies: Object.fromEntries(names.sort().map((name) => [name, dependencies[name]])),
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
  }
}

function compiled(file: string) {
  const path = file.replace('./', './dist/sekisho/').replace(/\.tsx?$/, '')
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

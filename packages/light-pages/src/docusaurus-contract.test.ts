import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRoutes } from './routes/generated.ts'
import type { ModuleSlots } from './routes/model.ts'

const fromHere = createRequire(import.meta.url)
const core = dirname(fromHere.resolve('@docusaurus/core/package.json'))
const fromCore = createRequire(join(core, 'package.json'))
const theme = join(dirname(fromHere.resolve('@docusaurus/theme-classic')), 'theme')
const folders = {
  core: join(core, 'lib'),
  theme,
  themeRoot: dirname(theme),
  docs: dirname(fromHere.resolve('@docusaurus/plugin-content-docs')),
  mdx: dirname(fromCore.resolve('@docusaurus/mdx-loader')),
  common: dirname(fromHere.resolve('@docusaurus/theme-common')),
}

/** Every line inside Docusaurus that page flattening stands on, one row each; decisions/060 says what for. */
const RELIED_UPON: [what: string, folder: keyof typeof folders, file: string, text: string][] = [
  [
    'the app starts from @generated/routes',
    'core',
    'client/App.js',
    "import routes from '@generated/routes'",
  ],
  ['the app renders the routes once', 'core', 'client/App.js', 'const routesElement = renderRoutes(routes)'],
  [
    'renderRoutes is react-router-config’s',
    'core',
    'client/exports/renderRoutes.js',
    "from 'react-router-config'",
  ],
  [
    'breadcrumbs look for an exact home route',
    'common',
    'utils/routesUtils.js',
    'route.path === baseUrl && route.exact === true',
  ],
  ['preload asks matchRoutes', 'core', 'client/preload.js', 'match.route.component.preload?.()'],
  [
    'addresses are normalised by matchRoutes and exact',
    'core',
    'client/normalizeLocation.js',
    'route.exact === true',
  ],
  ['a failed preload reloads the page', 'core', 'client/PendingNavigation.js', 'window.location.reload()'],
  [
    'the first page is preloaded before hydration',
    'core',
    'client/clientEntry.js',
    'preload(window.location.pathname).then(',
  ],
  [
    'links ask window.docusaurus in sight',
    'core',
    'client/exports/Link.js',
    'window.docusaurus.prefetch(targetLink)',
  ],
  [
    'links ask window.docusaurus under the pointer',
    'core',
    'client/exports/Link.js',
    'window.docusaurus.preload(targetLink)',
  ],
  ['the server bundle has one entry, main', 'core', 'webpack/server.js', '../client/serverEntry.js'],
  ['the server entry renders one page', 'core', 'client/serverEntry.js', 'return { html, collectedData };'],
  ['a page is loaded before it is rendered', 'core', 'client/serverEntry.js', 'await preload(pathname);'],
  ['what rendering answers can be kept as JSON', 'core', 'client/serverEntry.js', 'metadata.helmet = null;'],
  [
    'rendering is asked for the address and nothing else',
    'core',
    'ssg/ssgRenderer.js',
    'appRenderer.render({\n            pathname,\n            v4RemoveLegacyPostBuildHeadAttribute: params',
  ],
  [
    'ComponentCreator passes modules, route props and context',
    'core',
    'client/exports/ComponentCreator.js',
    '<Component {...loadedModules} {...routeProps} {...props}/>',
  ],
  ['route context has a provider', 'core', 'client/routeContext.js', 'export function RouteContextProvider('],
  [
    'global data is one object',
    'core',
    'client/docusaurusContext.js',
    "import globalData from '@generated/globalData'",
  ],
  [
    'chunk assets are a runtime function',
    'core',
    'webpack/plugins/ChunkAssetPlugin.js',
    "'__webpack_require__.gca'",
  ],
  ['plugins may order aliases', 'core', 'webpack/configure.js', 'mergeStrategy'],
  ['layouts pass route.routes on', 'docs', 'client/docsUtils.js', 'const docRoutes = route.routes'],
  [
    'sidebars come from the version',
    'docs',
    'client/docsUtils.js',
    'versionMetadata.docsSidebars[sidebarName]',
  ],
  ['cards look documents up in the version', 'docs', 'client/docsUtils.js', 'const doc = version.docs[id]'],
  [
    'the active document is searched in global data',
    'docs',
    'client/docsClientUtils.js',
    'activeVersion?.docs.find(',
  ],
  ['a version is a prop of its route', 'docs', 'routes.js', 'toVersionMetadataProp)(options.id, version)'],
  ['category links take further props', 'theme', 'DocSidebarItem/Category/index.js', '{...props}>'],
  ['closed categories render nothing', 'theme', 'DocSidebarItem/Category/index.js', '<Collapsible lazy'],
  ['entries are keyed by position', 'theme', 'DocSidebarItems/index.js', 'key={index} item={item}'],
  ['code blocks are laid out from a context', 'theme', 'CodeBlock/Layout/index.js', 'useCodeBlockContext()'],
  [
    'the copy button copies metadata.code',
    'theme',
    'CodeBlock/Buttons/CopyButton/index.js',
    'metadata: {code}',
  ],
  [
    'fenced code without text is a block',
    'theme',
    'MDXComponents/Code.js',
    "typeof props.children !== 'undefined'",
  ],
  [
    'code block styles are modules',
    'theme',
    'CodeBlock/Content/styles.module.css',
    '.codeBlockLinesWithNumbering',
  ],
  [
    'languages are a client module',
    'themeRoot',
    'prism-include-languages.js',
    'prismIncludeLanguages(Prism)',
  ],
  [
    'code options are parsed by theme-common',
    'common',
    'utils/codeBlockUtils.js',
    'export function createCodeBlockMetadata(',
  ],
  ['the MDX loader makes processors that are missing', 'mdx', 'processor.js', 'options.processors ?? (await'],
]

describe('what page flattening relies on in Docusaurus', () => {
  it.each(RELIED_UPON)('%s', (what, folder, file, text) => {
    const source = readFileSync(join(folders[folder], file), 'utf8')
    expect(
      source.includes(text),
      `${file} no longer shows that ${what}: see decisions/060 for what depends on it`,
    ).toBe(true)
  })
})

interface CodegenRoutes {
  generateRoutesCode(routes: object[]): {
    routesConfig: string
    registry: { [name: string]: string }
    routesChunkNames: { [route: string]: ModuleSlots }
  }
}

describe('the generated files', () => {
  const { generateRoutesCode } = fromCore('./lib/server/codegen/codegenRoutes.js') as CodegenRoutes
  const leaf = {
    path: "/docs/it's 日本語",
    component: '@theme/DocItem',
    exact: true,
    sidebar: 's',
    order: -1,
    modules: { content: '@site/日本 x.md' },
  }
  const code = generateRoutesCode([{ path: '/docs', component: '@theme/DocsRoot', routes: [leaf] }])

  it('are routes and a registry that can be read back', () => {
    const source = readFileSync(join(core, 'lib/server/codegen/codegenRoutes.js'), 'utf8')
    const template = /`(\s+"\$\{chunkName\}": .*)`\)/.exec(source)?.[1] ?? ''
    const lines = Object.entries(code.registry).map(([chunkName, modulePath]) =>
      template.replace(/\$\{chunkName\}/g, chunkName).replace(/\$\{modulePath\}/g, modulePath),
    )
    const [layout] = readRoutes(
      code.routesConfig,
      code.routesChunkNames,
      `export default {\n${lines.join('\n')}\n}`,
    )
    expect(layout?.modules).toEqual({ __comp: '@theme/DocsRoot' })
    expect(layout?.routes).toEqual([
      {
        path: leaf.path,
        attributes: { exact: true, sidebar: 's', order: -1 },
        modules: { __comp: leaf.component, content: leaf.modules.content },
        routes: [],
      },
    ])
  })
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import contract from './docusaurus-contract.json' with { type: 'json' }
import { readRoutes } from './routes/generated.ts'
import type { ModuleSlots } from './routes/model.ts'

const core = dirname(createRequire(import.meta.url).resolve('@docusaurus/core/package.json'))
const fromCore = createRequire(join(core, 'package.json'))

/** Every line inside Docusaurus that light pages stand on, one row each; decisions/060 says what for. */
describe('what light pages rely on in Docusaurus', () => {
  it.each(contract)('%s', (what = '', file = '', text = '') => {
    expect(
      readFileSync(join(dirname(core), file), 'utf8').includes(text),
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

it('generated routes and their registry can be read back', () => {
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
  const lines = Object.entries(code.registry).map(
    ([chunk, request]) =>
      `"${chunk}": [() => import("${request}"), "${request}", require.resolveWeak("${request}")],`,
  )
  const registry = `export default {\n${lines.join('\n')}\n}`
  const [layout] = readRoutes(code.routesConfig, code.routesChunkNames, registry)
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

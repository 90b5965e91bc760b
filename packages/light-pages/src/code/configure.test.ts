import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createCodeAliases } from './configure.ts'
import { createHighlighter } from './highlight.ts'

const SITE = fileURLToPath(new URL('../../../../site', import.meta.url))
const STOCK = join(dirname(createRequire(import.meta.url).resolve('@docusaurus/theme-classic')), 'theme')

const known = {
  '@theme/CodeBlock': join(STOCK, 'CodeBlock/index.js'),
  '@theme/CodeBlock/Line': join(STOCK, 'CodeBlock/Line/index.js'),
  '@theme/CodeInline': '/site/src/theme/CodeInline/index.js',
  '@theme/prism-include-languages': join(STOCK, 'prism-include-languages.js'),
}

it('takes the place of the stock code block', () => {
  const aliases = createCodeAliases(SITE, known)
  expect(aliases?.['@theme/CodeBlock$']).toMatch(/CodeBlock\.tsx$/)
  expect(aliases?.['@theme-init/CodeBlock$']).toBe(known['@theme/CodeBlock'])
})

it.each([
  ['@theme/CodeBlock', '/site/src/theme/CodeBlock/index.js'],
  ['@theme/CodeBlock/Line', '/site/src/theme/CodeBlock/Line/index.js'],
  ['@theme/CodeBlock', '/node_modules/@docusaurus/theme-live-codeblock/lib/theme/CodeBlock/index.js'],
  ['@theme/prism-include-languages', '/site/src/theme/prism-include-languages.js'],
])('leaves code alone where %s is %s', (name, file) => {
  expect(createCodeAliases(SITE, { ...known, [name]: file })).toBeNull()
})

it.each([
  [[], 'npm install'],
  [['bash'], '<span class="token function">npm</span> <span class="token function">install</span>'],
])('with the languages %j listed, bash is %s', (languages, line) => {
  expect(createHighlighter(import.meta.filename, languages)('npm install', 'bash')).toEqual([line])
})

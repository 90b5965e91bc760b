import { expect, it } from 'vitest'
import { addTheme, removeTheme } from './edit-config.ts'

const LINE = "themes: ['sekisho/docusaurus'],"

it.each([
  [
    'an exported name in TypeScript',
    'config.ts',
    `import type { Config } from '@docusaurus/types'\nconst config: Config = {\n  title: 'A',\n}\nexport default config\n`,
    `  ${LINE}\n  title`,
  ],
  ['CommonJS', 'config.js', `module.exports = {\n\ttitle: 'A',\n}\n`, `\t${LINE}\n\ttitle`],
  ['satisfies', 'config.ts', `export default {\n  title: 'A',\n} satisfies Config\n`, LINE],
  ['one line', 'config.mjs', `export default { title: 'A' }\n`, `{ ${LINE} title: 'A' }`],
  [
    'an async function',
    'config.js',
    `export default async function createConfig() {\n  const x = await y()\n  return {\n    title: x,\n  }\n}\n`,
    `    ${LINE}\n    title`,
  ],
  [
    'a function around the config',
    'config.js',
    `const config = {\n  title: 'A',\n}\nmodule.exports = withNx(config)\n`,
    LINE,
  ],
  [
    'themes that are there',
    'config.js',
    `export default {\n  themes: ['@docusaurus/theme-mermaid', ['x', {}]],\n}\n`,
    `['@docusaurus/theme-mermaid', ['x', {}], 'sekisho/docusaurus']`,
  ],
  ['an empty list', 'config.js', `export default { themes: [] }`, `themes: ['sekisho/docusaurus'] }`],
  [
    'a comment first',
    'config.js',
    `export default {\n  // who we are\n  title: 'A',\n}\n`,
    `{\n  ${LINE}\n  // who we are`,
  ],
])('adds one line to %s, and takes it out to the byte', (_, file, source, expected) => {
  const edited = addTheme(source, file) ?? ''
  expect(edited).toContain(expected)
  expect(removeTheme(edited)).toBe(source)
})

it('keeps to the quotes of the file, and switches on what was chosen', () => {
  const source = `export default {\n  title: "Wombats' handbook",\n  tagline: "It's ours",\n}\n`
  const edited = addTheme(source, 'config.js', ['markdown', 'zoom']) ?? ''
  expect(edited).toContain('themes: [["sekisho/docusaurus", { tools: { markdown: true, zoom: true } }]],')
  expect(removeTheme(edited)).toBe(source)
  const listed = `export default { themes: ["x"] }`
  const added = addTheme(listed, 'config.js', ['feedback']) ?? ''
  expect(added).toContain(`["x", ["sekisho/docusaurus", { tools: { feedback: true } }]]`)
  expect(removeTheme(added)).toBe(listed)
})

it.each([
  ['themes made elsewhere', `export default { themes: listThemes() }`],
  ['a config made elsewhere', `export { default } from './other.js'`],
])('says that it cannot: %s', (_, source) => {
  expect(addTheme(source, 'config.js')).toBeNull()
})

it('takes nothing out of a config that gives the theme options', () => {
  expect(removeTheme(`export default { themes: [['sekisho/docusaurus', { recentChanges: 3 }]] }`)).toBeNull()
})

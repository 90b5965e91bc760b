import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createCodeAliases, joinParsers } from './configure.ts'
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

it('takes the place of a code block that is one component, as it was until Docusaurus 3.7', () => {
  const siteDir = mkdtempSync(join(tmpdir(), 'older-theme-'))
  const theme = join(siteDir, 'node_modules/@docusaurus/theme-classic')
  mkdirSync(join(theme, 'theme'), { recursive: true })
  for (const name of ['index.js', 'prism-include-languages.js']) writeFileSync(join(theme, name), '')
  const block = join(theme, 'theme/CodeBlock/index.js')
  const aliases = createCodeAliases(siteDir, { '@theme/CodeBlock': block })
  expect(aliases?.['@theme/CodeBlock$']).toMatch(/WholeCodeBlock\.tsx$/)
  expect(aliases?.['@theme-init/CodeBlock$']).toBe(block)
  expect(aliases).not.toHaveProperty('@theme/CodeBlock/Content$')
})

it.each([
  ['language-TS', undefined, 'ts', 'language-TS language-ts'],
  ['language-ts', undefined, 'ts', 'language-ts'],
  [undefined, 'bash', 'bash', 'language-bash'],
  [undefined, undefined, 'text', ''],
])(
  'a block of class %s, where %s is the default, is in %s',
  (given, defaultLanguage, language, className) => {
    const parse = joinParsers({
      parseLines: (code) => ({ code, lineClassNames: {} }),
      parseLanguage: (name) => /language-(\S+)/.exec(name)?.[1],
      parseCodeBlockTitle: () => 'a.ts',
      containsLineNumbers: (metastring) => metastring === 'showLineNumbers',
    })
    const block = parse?.({ code: 'a', className: given, metastring: 'showLineNumbers', defaultLanguage })
    expect(block).toMatchObject({ language, className, title: 'a.ts', lineNumbersStart: 1 })
  },
)

it.each([
  ['@theme/CodeBlock', '/site/src/theme/CodeBlock/index.js'],
  ['@theme/CodeBlock/Line', '/site/src/theme/CodeBlock/Line/index.js'],
  ['@theme/CodeBlock', '/node_modules/@docusaurus/theme-live-codeblock/lib/theme/CodeBlock/index.js'],
  ['@theme/prism-include-languages', '/site/src/theme/prism-include-languages.js'],
])('leaves code alone where %s is %s', (name, file) => {
  expect(createCodeAliases(SITE, { ...known, [name]: file })).toBeNull()
})

const writeWrapper = (body: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'code-block-')), 'index.tsx')
  writeFileSync(file, `import CodeBlock from '@theme-original/CodeBlock'\n${body}`)
  return file
}
const wrapped = (file: string) => ({
  ...known,
  '@theme/CodeBlock': file,
  '@theme-original/CodeBlock': known['@theme/CodeBlock'],
})

it('goes inside a wrapper that passes on all that it was given', () => {
  const wrapper = writeWrapper(`
    // the props stay as they are
    export default function Wrapper(props: Props): ReactNode {
      return <div className="wide"><CodeBlock {...props} /></div>
    }`)
  const aliases = createCodeAliases(SITE, wrapped(wrapper))
  expect(aliases?.['@theme-original/CodeBlock$']).toMatch(/CodeBlock\.tsx$/)
  expect(aliases).not.toHaveProperty('@theme/CodeBlock$')
})

it.each([
  ['reads one of them', '(props) => <div title={props.title}><CodeBlock {...props} /></div>'],
  ['reads what is inside', '({ children, ...props }) => <CodeBlock {...props}>{children}</CodeBlock>'],
  ['takes one out', '({ live, ...props }) => <CodeBlock {...props} />'],
  ['sets one', '(props) => <CodeBlock {...props} showLineNumbers />'],
  ['hands them to another one', '(props) => <div><Bar {...props} /><CodeBlock {...props} /></div>'],
  ['renders one of its own as well', '(props) => <><CodeBlock>a</CodeBlock><CodeBlock {...props} /></>'],
])('leaves code alone where a wrapper %s', (_, body) => {
  expect(createCodeAliases(SITE, wrapped(writeWrapper(`export default ${body}`)))).toBeNull()
})

it.each([
  [[], 'npm install'],
  [['bash'], '<span class="token function">npm</span> <span class="token function">install</span>'],
])('with the languages %j listed, bash is %s', (listed, line) => {
  const highlight = createHighlighter(import.meta.filename, { listed, hasAll: false, themes: [] })
  expect(highlight('npm install', 'bash')).toEqual([line])
})

it('keeps what a site lists from the highlighter of another one', () => {
  createHighlighter(import.meta.filename, { listed: ['bash'], hasAll: false, themes: [] })
  const highlight = createHighlighter(import.meta.filename, { listed: [], hasAll: false, themes: [] })
  expect(highlight('npm install', 'bash')).toEqual(['npm install'])
})

import { createRequire } from 'node:module'
import postcss from 'postcss'
import { themes } from 'prism-react-renderer'
import { describe, expect, it } from 'vitest'
import { writePrismCss } from './prism-css.ts'

const light = {
  plain: { color: 'black', backgroundColor: 'white', textShadow: '0 1px grey' },
  styles: [{ types: ['keyword', 'tag'], style: { fontWeight: 'bold' } }],
}

it('writes a theme for each colour mode, of which the other one has nothing', () => {
  const css = writePrismCss(light, { plain: { color: 'white' }, styles: [] })
  const inLight = "html:not([data-theme='dark']) "
  const inDark = "html[data-theme='dark'] "
  expect(css.split('\n')).toEqual([
    `${inLight}.theme-code-block:not(#_):defined { --prism-color: black; --prism-background-color: white; }`,
    `${inLight}.sekisho-code:not(#_):defined { background-color: white; }`,
    `${inLight}.sekisho-code:not(#_):defined, ${inLight}.sekisho-code:not(#_):defined .token-line { color: black; text-shadow: 0 1px grey; }`,
    `${inLight}.sekisho-code:not(#_):defined .token.tag { font-weight: bold; }`,
    `${inLight}.sekisho-code:not(#_):defined .token.keyword { font-weight: bold; }`,
    `${inDark}.theme-code-block:not(#_):defined { --prism-color: white; }`,
    `${inDark}.sekisho-code:not(#_):defined, ${inDark}.sekisho-code:not(#_):defined .token-line { color: white; }`,
  ])
})

it.each([[undefined], [light]])('writes one theme for both modes once (dark: %j)', (dark) => {
  const css = writePrismCss(light, dark)
  expect(css).not.toContain('data-theme')
  expect(css.match(/bold/g)).toHaveLength(2)
})

it.each([
  ['a number of pixels', 'comment', { fontSize: 12 }, '.token.comment { font-size: 12px; }'],
  ['a share', 'comment', { opacity: 0.5 }, '.token.comment { opacity: 0.5; }'],
  [
    'what is important in an attribute',
    'comment',
    { color: 'red !important' },
    '.token.comment { color: red; }',
  ],
  ['a type that is no name in CSS', '2d+', { color: 'red' }, '.token.\\32 d\\2b  { color: red; }'],
])('writes %s', (_what, type, style, rule) => {
  expect(writePrismCss({ plain: {}, styles: [{ types: [type], style }] }, undefined)).toBe(
    `.sekisho-code:not(#_):defined ${rule}`,
  )
})

it('has a rule for one language weigh as much as the others', () => {
  const theme = {
    plain: {},
    styles: [
      { types: ['tag'], style: { color: 'red' } },
      { types: ['tag'], style: { color: 'blue' }, languages: ['markup'] },
      { types: ['punctuation'], style: { color: 'grey' } },
    ],
  }
  expect(writePrismCss(theme, undefined).split('\n')).toEqual([
    '.sekisho-code:not(#_):defined .token.tag { color: red; }',
    '.sekisho-code:not(#_):defined:where(.language-markup) .token.tag { color: blue; }',
    '.sekisho-code:not(#_):defined .token.punctuation { color: grey; }',
  ])
})

it('writes nothing for a theme that leaves colours to the site', () => {
  expect(writePrismCss({ plain: {}, styles: [] }, undefined)).toBe('')
})

interface CleanCss {
  minify(css: string): { styles: string }
}

/** Minimises as Docusaurus does on sites without Rspack: `getCssNanoMinimizer`. */
function minimize(css: string): string {
  const fromCore = createRequire(createRequire(import.meta.url).resolve('@docusaurus/core/package.json'))
  const fromBundler = createRequire(fromCore.resolve('@docusaurus/bundler'))
  const CleanCss: new (options: object) => CleanCss = fromBundler('clean-css')
  const level = { 1: { all: false }, 2: { all: true, restructureRules: true, removeUnusedAtRules: false } }
  return new CleanCss({ level }).minify(css).styles
}

/** The declarations of each rule for types of tokens, one type after the other, in the order in which they are written. */
function readRules(css: string): { type: string; colour: string }[] {
  const rules: { type: string; colour: string }[] = []
  postcss.parse(css).walkDecls('color', ({ parent, value }) => {
    const { selectors = [] } = parent as { selectors?: string[] }
    for (const [, type = ''] of selectors.join().matchAll(/\.token\.([\w-]+)/g))
      rules.push({ type, colour: value.toLowerCase() })
  })
  return rules
}

describe.each(['github', 'palenight', 'dracula', 'nightOwl', 'vsDark'] as const)('%s', (name) => {
  it('keeps the order of its rules where a minimiser joins those of one colour', () => {
    // As postcss-preset-env leaves it to sites that do not say which browsers they are for.
    const spelled = writePrismCss(themes[name], undefined).replace(
      /(\S+) \.token:is\((.*?)\)/g,
      (_, block, types: string) =>
        types
          .split(', ')
          .map((type) => `${block} .token${type}`)
          .join(', '),
    )
    const before = spelled.split('\n').flatMap((rule) => readRules(minimize(rule)))
    const after = readRules(minimize(spelled))
    const winner = (rules: typeof before, types: readonly string[]) =>
      rules.findLast(({ type }) => types.includes(type))?.colour
    const all = [...new Set(before.map(({ type }) => type))]
    expect(all.length).toBeGreaterThan(5)
    for (const one of all)
      for (const other of all) expect(winner(after, [one, other])).toBe(winner(before, [one, other]))
  })
})

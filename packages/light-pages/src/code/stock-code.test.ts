import { createRequire } from 'node:module'
import postcss from 'postcss'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createHighlighter } from './highlight.ts'
import { writePrismCss } from './prism-css.ts'
import type { PrismTheme } from './prism-theme.ts'

const require = createRequire(import.meta.filename)

interface PrismEnv {
  code: string
  grammar: object
  language: string
  tokens: Tokens
}

interface Prism {
  languages: { [name: string]: object | undefined }
  hooks: { run(name: string, env: PrismEnv): void }
  tokenize(code: string, grammar: object): Tokens
}

/** Prism as the stock theme's `prism-include-languages` makes it: each language that is listed, on top of what was there. */
function loadStock(listed: readonly string[]) {
  const file = require.resolve('prism-react-renderer')
  delete require.cache[file]
  const stock: typeof import('prism-react-renderer') = require(file)
  const scope = globalThis as { Prism?: unknown }
  scope.Prism = stock.Prism
  for (const language of listed) {
    const parts = language === 'php' ? ['markup-templating', 'php'] : [language]
    for (const part of parts) {
      const component = require.resolve(`prismjs/components/prism-${part}`)
      delete require.cache[component]
      require(component)
    }
  }
  scope.Prism = undefined
  return stock
}

type Tokens = Parameters<ReturnType<typeof loadStock>['normalizeTokens']>[0]

/** As prism-react-renderer's `useTokenize` has it. */
function tokenize(prism: Prism, code: string, language: string): Tokens {
  const grammar = prism.languages[language]
  if (grammar === undefined) return [code]
  const env: PrismEnv = { code, grammar, language, tokens: [] }
  prism.hooks.run('before-tokenize', env)
  env.tokens = prism.tokenize(code, grammar)
  prism.hooks.run('after-tokenize', env)
  return env.tokens
}

/** Text and types of each token of a line of ours. */
const readTokens = (line: string): string[] =>
  [...line.matchAll(/<span class="token ([^"]*)">([^<]*)<\/span>|([^<]+)/g)].map(
    ([, types = '', text, plain = '']) =>
      `${types} ${(text ?? plain).replaceAll('&lt;', '<').replaceAll('&amp;', '&')}`,
  )

/** Code in which tokens hold others, by language. */
const SAMPLES: readonly (readonly [language: string, code: string])[] = [
  [
    'bash',
    `# a\nnpm install "$HOME/x" --save && echo $((1 + 2)) | tee a.log\nif [ -f a ]; then cat <<EOF\n\${b}\nEOF\nfi`,
  ],
  ['clike', 'class A extends B { int a = 0x1F; /* b */ if (new C(1.5e3)) return "d"; }'],
  ['cpp', '#include <vector>\nauto x = std::vector<int>{1, 2}; co_return 0b11;'],
  [
    'css',
    '@media (min-width: 1px) { a:hover > .b::before { color: #fff !important; background: url("c.png") } } /* d */',
  ],
  ['diff', '--- a\n+++ b\n@@ -1 +1 @@\n-const a = 1\n+const a = 2\n same'],
  ['go', 'package a\nfunc b(c int) error { for _, x := range d { fmt.Println("e", 0x1F) } } // f'],
  ['graphql', '"""a *b*"""\ntype A { b(c: Int = 1): [D!]! @e }\nquery F($g: ID!) { h(id: $g) { ...I } }'],
  ['ini', '[a]\nb = "c" ; d'],
  ['java', '@A(b = 1)\npublic class C<D extends E> { List<String> f() throws G { return new H<>(); } }'],
  [
    'javascript',
    `const a = \`b \${c + 1} d\`\nclass E extends F { static #g = /[a-z]+\\d/gi; async h({ i }, ...j) { await k.l?.(1n) } } // m`,
  ],
  ['json', '{ "a": [1, true, null], "b": "c" } // d'],
  [
    'jsx',
    'const a = <B c="d" {...e} f={() => g(1)}>text {h && <i>if new j</i>} of it</B>\nexport default () => <></>',
  ],
  ['markdown', '# a\n**b** `c` [d](e) *f*\n\n```js\nconst g = 1\n```\n> h\n- i\n<!-- j -->\n<k l="m">n</k>'],
  [
    'markup',
    '<!DOCTYPE html>\n<a href="b" style="color: red" onclick="c()">&amp; d</a>\n<script>const e = 1</script><style>f { g: 1px }</style><!-- h -->',
  ],
  ['php', '<p class="a"><?php $b = new C("d $e"); echo $b->f(1); // g ?></p>\n<?= $h ?>'],
  ['php', 'function a(B $c): ?D { return $c["e"] ?? 1; }'],
  [
    'python',
    '@a\nclass B(C):\n    def d(self, e: int = 0) -> str:\n        return f"{e!r:>{f}} {g + 1}"  # h',
  ],
  ['regex', '^(?<a>[b-d]\\w+)\\k<a>(?=e{1,2})$'],
  ['ruby', 'class A < B\n  def c(d = :e) "f #{g + 1}" end # h\nend'],
  ['rust', '#[a]\nfn b<\'c>(d: &\'c str) -> E<F> { println!("{d}", r#"g"#); let h: u8 = 1; } // i'],
  ['scss', '@use "a";\n$b: 1px;\n.c { &:hover { @include d($b); width: calc(1px + #{$e}); } }'],
  ['sql', "SELECT a.b, COUNT(*) FROM `c` WHERE d = 'e' AND f IS NOT NULL -- g"],
  ['tsx', 'function A<B extends C>({ d }: E<B>) { return <F<G> h="i" j={k as L}>type {m} text</F> }'],
  [
    'typescript',
    '@A({ b: `c` })\nexport class D<E> implements F { private g?: H | null = /i/; constructor(readonly j: K<number>[]) {} }',
  ],
  ['yaml', 'a: &x [1, "b"] # c\nd: !!str 2001-12-14\ne:\n  - f: |\n      g'],
  ['html', '<b c="d" class=\'e\'>f</b>'],
]

const LISTED = [
  ...['markup', 'css', 'clike', 'javascript', 'bash', 'diff', 'ini', 'java', 'json', 'php', 'ruby', 'scss'],
  ...[
    'markdown',
    'graphql',
    'jsx',
    'typescript',
    'tsx',
    'go',
    'rust',
    'cpp',
    'python',
    'sql',
    'yaml',
    'regex',
  ],
]

it.each([[['bash']], [['jsx', 'bash']], [['css', 'go', 'markdown']], [LISTED]])(
  'every language is read as stock reads it where a site lists %j',
  (listed) => {
    const { Prism, normalizeTokens } = loadStock(listed)
    const highlight = createHighlighter(import.meta.filename, { listed, hasAll: false, themes: [] })
    for (const [language, code] of SAMPLES) {
      const stock = normalizeTokens(tokenize(Prism, code, language)).map((line) =>
        line
          .filter(({ content }) => !/^\n?$/.test(content))
          .map(({ types, content }) => `${types.filter((type) => type !== 'plain').join(' ')} ${content}`),
      )
      expect({ language, lines: highlight(code, language).map(readTokens) }).toEqual({
        language,
        lines: stock,
      })
    }
  },
)

/** Pieces of code of one look, and what they look like, in CSS. */
type Look = [text: string, style: string]

function joinAlike(looks: readonly Look[]): Look[] {
  const joined: Look[] = []
  for (const [text, style] of looks) {
    const last = joined.at(-1)
    if (last?.[1] === style) last[0] += text
    else if (text !== '') joined.push([text, style])
  }
  return joined
}

const writeStyle = (style: Readonly<Record<string, string>>): string =>
  Object.entries(style)
    .map(([name, value]) => `${name}: ${String(value).replace(' !important', '')}`)
    .sort()
    .join('; ')

const cssName = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Renders prism-react-renderer's own component for each token of a block. */
function drawStock(
  { Highlight, Prism }: ReturnType<typeof loadStock>,
  [language, code]: readonly [string, string],
  theme: PrismTheme,
): Look[] {
  const looks: Look[] = []
  renderToStaticMarkup(
    createElement(Highlight, {
      ...{ code, language, theme: theme as never, prism: Prism },
      children({ tokens, getTokenProps }) {
        for (const token of tokens.flat()) {
          const { style = {}, children } = getTokenProps({ token })
          const { display: _, ...seen } = style as Record<string, string>
          const css = Object.fromEntries(Object.entries(seen).map(([key, value]) => [cssName(key), value]))
          looks.push([children === '\n' ? '' : children, writeStyle(css)])
        }
        return null
      },
    }),
  )
  return joinAlike(looks)
}

interface SheetRule {
  readonly mode: 'light' | 'dark' | undefined
  readonly language: string | undefined
  readonly types: readonly string[]
  readonly style: Readonly<Record<string, string>>
}

/** The rules for tokens, which are all of one weight. */
function readRules(css: string): SheetRule[] {
  return postcss.parse(css).nodes.flatMap((rule): SheetRule[] => {
    if (rule.type !== 'rule' || !rule.selector.includes(' .token')) return []
    if (rule.selector.endsWith('.token-line')) return []
    const [, scope, language, types = ''] =
      /^(html\S+ )?\.sekisho-code:not\(#_\):defined(?::where\(\.language-([\w-]+)\))? \.token(\.[\w-]+|:is\(.*\))$/.exec(
        rule.selector,
      ) ?? []
    const mode = scope === undefined ? undefined : scope.includes(':not') ? 'light' : 'dark'
    const style = rule.nodes.flatMap((node) => (node.type === 'decl' ? [[node.prop, node.value]] : []))
    return [{ mode, language, types: types.match(/(?<=\.)[\w-]+/g) ?? [], style: Object.fromEntries(style) }]
  })
}

/** Renders our lines with our sheet. */
function drawOurs(
  lines: readonly string[],
  language: string,
  rules: readonly SheetRule[],
  mode: 'light' | 'dark',
): Look[] {
  const applying = rules.filter(
    (rule) => (rule.mode ?? mode) === mode && (rule.language ?? language) === language,
  )
  const looks = lines.flatMap((line) => {
    const open: Readonly<Record<string, string>>[] = [{}]
    return [...line.matchAll(/<span class="token ([^"]*)">|<\/span>|([^<]+)/g)].flatMap(
      ([tag, names, text]): Look[] => {
        const around = open.at(-1) ?? {}
        if (text !== undefined)
          return [[text.replaceAll('&lt;', '<').replaceAll('&amp;', '&'), writeStyle(around)]]
        if (tag === '</span>') open.pop()
        const types = names?.split(' ') ?? []
        const own = applying.filter((rule) => rule.types.some((type) => types.includes(type)))
        if (names !== undefined) open.push(Object.assign({}, around, ...own.map(({ style }) => style)))
        return []
      },
    )
  })
  return joinAlike(looks)
}

describe('every token has the look of stock', () => {
  const stock = loadStock(LISTED)
  const themes = Object.entries(stock.themes) as [string, PrismTheme][]
  const pairs = themes.map(([name, light], index) => {
    const [darkName, dark] = themes[(index + 1) % themes.length] ?? [name, light]
    return { name, light, darkName, dark }
  })

  it.each(pairs)('in $name, with $darkName for the dark', ({ light, dark }) => {
    const highlight = createHighlighter(import.meta.filename, {
      ...{ listed: LISTED, hasAll: false, themes: [light, dark] },
    })
    const rules = readRules(writePrismCss(light, dark))
    for (const sample of SAMPLES) {
      const [language, code] = sample
      const lines = highlight(code, language)
      for (const [mode, theme] of [
        ['light', light],
        ['dark', dark],
      ] as const)
        expect({ mode, language, looks: drawOurs(lines, language, rules, mode) }).toEqual({
          ...{ mode, language, looks: drawStock(stock, sample, theme) },
        })
    }
  })

  it('for at most one element in fifty more', () => {
    const count = (listOf: readonly PrismTheme[]) => {
      const highlight = createHighlighter(import.meta.filename, {
        ...{ listed: LISTED, hasAll: false, themes: listOf },
      })
      return SAMPLES.flatMap(([language, code]) => highlight(code, language).join('').match(/<span/g) ?? [])
        .length
    }
    const flat = count([])
    for (const { name, light, dark } of pairs)
      expect({ name, share: (count([light, dark]) - flat) / flat <= 0.02 }).toEqual({ name, share: true })
  })
})

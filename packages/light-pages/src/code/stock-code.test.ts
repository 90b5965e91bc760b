import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createHighlighter } from './highlight.ts'

const require = createRequire(import.meta.filename)

interface PrismEnv {
  code: string
  grammar: object
  language: string
  tokens: unknown[]
}

interface Prism {
  languages: { [name: string]: object | undefined }
  hooks: { run(name: string, env: PrismEnv): void }
  tokenize(code: string, grammar: object): unknown[]
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

/** As prism-react-renderer's `useTokenize` has it. */
function tokenize(prism: Prism, code: string, language: string): unknown[] {
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
    const highlight = createHighlighter(import.meta.filename, { listed, hasAll: false })
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

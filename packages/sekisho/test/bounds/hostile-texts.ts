import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

const PARTIAL_CHARS = 24
/** Characters beside those of the pattern itself: one of each script and class that the server's patterns name. */
const ALPHABET = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...'\t\n\0é語々付いアー・가ไö\u3000\u200b\ufe0f\u{e0100}（）：',
]

/** A text that is a prefix, a part repeated to `length`, and an end that spoils the match. */
interface HostileText {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

/** Texts that make a pattern do as much work as its structure allows: each repeated part, with what may follow it, over and over. */
export function hostileTexts(source: string, flags: string): readonly HostileText[] {
  const parser = new RegExpParser()
  const isSets = flags.includes('v')
  const ast = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: isSets,
  })
  const samplers = [createSampler(ast, flags, 'shared'), createSampler(ast, flags, 'own')]
  const texts = new Map<string, HostileText>()
  const add = (prefix: string, pump: string) => {
    if (pump === '') return
    for (const before of prefix === '' ? ['', '\0'] : [prefix]) {
      for (const suffix of ['\0', '\n\0', ''])
        texts.set(JSON.stringify([before, pump, suffix]), { prefix: before, pump, suffix })
    }
  }
  for (const sample of samplers) {
    for (const alternative of ast.alternatives)
      for (const part of beginningsOf(sample.all(alternative.elements))) add('', part)
    visitRegExpAST(ast, {
      onQuantifierEnter(quantifier) {
        const [prefix, rest] = [around(quantifier, sample, 'before'), around(quantifier, sample, 'after')]
        const inner = sample.one(quantifier.element)
        add('', inner)
        add(prefix, inner)
        for (const part of beginningsOf(inner + rest)) add(prefix, part)
        for (const part of beginningsOf(rest)) add(prefix, part)
      },
    })
  }
  return [...texts.values()]
}

/** Context before or behind a node, in its alternative and those around it. */
function around(node: AST.Node, sample: Sampler, side: 'before' | 'after'): string {
  const { parent } = node
  if (parent === null) return ''
  if (parent.type !== 'Alternative') return around(parent, sample, side)
  const at = parent.elements.indexOf(node as AST.Element)
  const outer = around(parent, sample, side)
  return side === 'before'
    ? outer + sample.all(parent.elements.slice(0, at))
    : sample.all(parent.elements.slice(at + 1)) + outer
}

const beginningsOf = (text: string): readonly string[] =>
  Array.from({ length: Math.min(text.length, PARTIAL_CHARS) }, (_, at) => text.slice(0, at + 1))

interface Sampler {
  one(node: AST.Element): string
  all(nodes: readonly AST.Element[]): string
}

/** Makes short matches: of the characters that a class takes, the one that most other classes take too, or the fewest. */
function createSampler(pattern: AST.Pattern, flags: string, prefer: 'shared' | 'own'): Sampler {
  const classes = new Map<string, RegExp>()
  const alphabet = new Set(ALPHABET)
  const noteClass = ({ raw }: AST.Node) =>
    void classes.set(raw, new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, '')))
  visitRegExpAST(pattern, {
    onCharacterClassEnter: noteClass,
    onCharacterSetEnter: (node) => node.parent.type !== 'CharacterClass' && noteClass(node),
    onCharacterEnter(node) {
      alphabet.add(String.fromCodePoint(node.value))
      if (node.parent.type === 'Alternative' || node.parent.type === 'Quantifier') noteClass(node)
    },
  })
  const scoreOf = (character: string) => [...classes.values()].filter((one) => one.test(character)).length
  const ranked = [...alphabet].map((character) => ({ character, score: scoreOf(character) }))
  ranked.sort((a, b) => (prefer === 'shared' ? b.score - a.score : a.score - b.score))
  const pick = (raw: string) =>
    ranked.find(({ character }) => classes.get(raw)?.test(character))?.character ?? ''

  function one(node: AST.Element): string {
    if (node.type === 'Character') return String.fromCodePoint(node.value)
    if (node.type === 'CharacterClass' || node.type === 'CharacterSet') return pick(node.raw)
    if (node.type === 'Quantifier') return one(node.element).repeat(Math.max(1, Math.min(node.min, 12)))
    if (node.type === 'CapturingGroup' || node.type === 'Group') {
      const samples = node.alternatives.map(({ elements }) => all(elements))
      return samples.find((text) => text !== '') ?? ''
    }
    if (node.type === 'Backreference' && !Array.isArray(node.resolved)) return one(node.resolved)
    return ''
  }
  const all = (nodes: readonly AST.Element[]) => nodes.map(one).join('')
  return { one, all }
}

/** Fills a text to about `length` characters. */
export function fill({ prefix, pump, suffix }: HostileText, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
}

import { afterEach, describe, expect, it } from 'vitest'
import { fill, hostileTexts } from './hostile-texts.ts'
import { findSlow, HOSTILE_CHARS } from './processor-time.ts'
import { findServerModules, type ServerModule } from './server-modules.ts'

const modules = findServerModules()

describe('every regular expression of the server', () => {
  const literals = modules.flatMap(literalsOf)
  it('is found', () => expect(literals.length).toBeGreaterThan(200))

  it.each(distinct(literals))('$name $literal takes linear time', ({ literal }) => {
    expect(slowestOf(literal)).toBeNull()
  })
})

describe('every regular expression that a module of the server builds', () => {
  const PlainRegExp = RegExp
  afterEach(() => {
    globalThis.RegExp = PlainRegExp
  })

  it.each(modules.filter(buildsOne))('$name', async ({ url }) => {
    const built: RegExp[] = []
    globalThis.RegExp = new Proxy(PlainRegExp, {
      construct(target, given) {
        const made: RegExp = Reflect.construct(target, given)
        built.push(made)
        return made
      },
    })
    await import(url)
    expect(built.map(slowestOf).filter((slow) => slow !== null)).toEqual([])
  })
})

const SLOW = [
  ...[/^\/+|\/+$/g, /^(?:[a-f]+[e-z]?)+$/],
  ...(process.env.TEST_LONG === undefined
    ? []
    : [/\[([^\]]*)\]\([^)]*\)/g, /^(#{1,6}) (.*?)(?: \{#([^}]+)\})?$/]),
]
it.each(SLOW)('%s would be found', (pattern) => expect(slowestOf(pattern)).not.toBeNull(), 60_000)

interface Literal {
  readonly name: string
  readonly literal: RegExp
}

function literalsOf({ name, ast }: ServerModule): readonly Literal[] {
  const found: Literal[] = []
  JSON.stringify(ast.program, (_key, node) => {
    if (node?.type === 'RegExpLiteral') found.push({ name, literal: new RegExp(node.pattern, node.flags) })
    return node
  })
  return found
}

const distinct = (literals: readonly Literal[]): readonly Literal[] => [
  ...new Map(literals.map((one) => [String(one.literal), one])).values(),
]

const buildsOne = ({ text }: ServerModule): boolean => text.includes('new RegExp(')

/** The first text that takes longer than is allowed, and how long; null when none does. */
function slowestOf(pattern: RegExp): { readonly text: string; readonly ms: number } | null {
  const texts = hostileTexts(pattern.source, pattern.flags)
  const filled = texts.map((text) => fill(text, HOSTILE_CHARS))
  const slow = findSlow(filled.map((text) => () => text.replace(pattern, '')))
  return slow === null ? null : { text: JSON.stringify(texts[slow.at]), ms: slow.ms }
}

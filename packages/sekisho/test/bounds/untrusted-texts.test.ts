import { describe, expect, it } from 'vitest'
import { findSlow, HOSTILE_CHARS } from './processor-time.ts'
import { findServerModules, type ServerModule } from './server-modules.ts'

/** Calls of parsers of untrusted text, by naming convention: see CONTRIBUTING, "Style". */
const PARSER =
  /^(?:read|parse|find|is|list|take|split|count|canonical|visible|heading|device|address|encode|decode)[A-Z]/
const PREFIXES = ['', 'https://portal.test/', '---\na: ', '# ', '{"a":"']
const PUMPS = [
  ...'/[(#`\t\n %.-_:;,=&"\'@<>{}\\|*~0aé漢あアー\u200b\ufe0f\u3000\0',
  ...[
    '%25',
    '..',
    '../',
    './',
    'a/',
    'a.',
    'a,',
    'a;',
    'a=',
    'a&',
    '{#',
    ' {#',
    '](',
    '[](',
    '---\n',
    '# [',
    '```\n',
    '::',
    ', ',
  ],
  ...['a b ', 'A1', '=?', '<a ', 'ab-', 'a"b', "a'b", '漢い', '\u{e0100}', '付付い', '-a ', '"a" ', '@a.'],
]
const TEXTS = PREFIXES.flatMap((prefix) =>
  PUMPS.map((pump) => `${prefix}${pump.repeat(Math.ceil(HOSTILE_CHARS / pump.length))}!`),
)
const VALUES: readonly unknown[] = [
  ...TEXTS.slice(0, PUMPS.length),
  Array.from({ length: 8_000 }, (_, at) => `a${at}`),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}`, at])),
  Array.from({ length: 3_000 }).reduce((inner) => [inner], 'x'),
]

/** Read the operator's own policy file, when it changes; linear too, with a set and a token for each character. */
const OF_OPERATORS: ReadonlySet<string> = new Set([
  'contract/src/errors/handwritten-json.ts',
  'server/src/access/policy-source.ts',
])

describe('every parser of untrusted text takes linear time', async () => {
  // A search runs in a thread of its own, and takes 500 characters.
  const modules = findServerModules().filter(
    ({ name }) => !name.startsWith('search/') && !OF_OPERATORS.has(name),
  )
  const parsers = (await Promise.all(modules.map(parsersOf))).flat()
  it('is found', () => expect(parsers.length).toBeGreaterThan(40))

  it.each(parsers)('$name', ({ parse, takesText }) => {
    const values = takesText ? TEXTS : VALUES
    const slow = findSlow(values.map((value) => () => parse(value)))
    expect(slow === null ? null : JSON.stringify(values[slow.at]).slice(0, 40)).toBeNull()
  })
})

interface Parser {
  readonly name: string
  readonly takesText: boolean
  readonly parse: (value: unknown) => unknown
}

/** Exported functions by the names of parsers, which take one text or value; further texts that they want are the same one. */
async function parsersOf({ name, url, ast, text }: ServerModule): Promise<readonly Parser[]> {
  const declared = ast.program.body.flatMap((statement) => {
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    if (
      made?.type !== 'FunctionDeclaration' ||
      made.async ||
      made.generator ||
      !PARSER.test(made.id?.name ?? '')
    )
      return []
    const types = made.params
      .map((parameter) => ('typeAnnotation' in parameter ? parameter.typeAnnotation : null))
      .map((type) => text.slice(type?.start ?? 0, type?.end ?? 0).replace(/^: /, ''))
    const takesText = /^string\b(?!\[)/.test(types[0] ?? '')
    if (!takesText && types[0] !== 'unknown') return []
    if (types.slice(1).some((type) => !/^(?:string|number|URL|unknown)$/.test(type))) return []
    return [{ exported: made.id?.name ?? '', types, takesText }]
  })
  if (declared.length === 0) return []
  const module: Record<string, unknown> = await import(url)
  return declared.flatMap(({ exported, types, takesText }) => {
    const parse = module[exported]
    if (typeof parse !== 'function') return []
    const fit = (value: unknown) =>
      types.map((type) =>
        type === 'number' ? 1_000 : type === 'URL' ? new URL('https://portal.test') : value,
      )
    return [{ name: `${name} ${exported}`, takesText, parse: (value: unknown) => parse(...fit(value)) }]
  })
}

import { expect, it } from 'vitest'
import { rehypeCode } from './rehype-code.ts'

function compile(isLive: boolean, live: unknown = true) {
  const places: string[] = []
  const parse = ({ code }: { code: string }) => ({
    code,
    className: 'language-jsx',
    language: 'jsx',
    lineNumbersStart: undefined,
    lineClassNames: {},
  })
  const highlight = (code: string) => [code]
  const onIdleLive = (place: string) => places.push(place)
  const run = rehypeCode({ highlight, lineTag: 'div', parse, isLive, onIdleLive })
  const code = {
    type: 'element',
    tagName: 'code',
    properties: { className: ['language-jsx'], live },
    children: [{ type: 'text', value: '<b>1</b>' }],
    position: { start: { line: 7 } },
  }
  run(
    { type: 'root', children: [{ type: 'element', tagName: 'pre', children: [code] }] },
    { path: '/site/docs/a.md', cwd: '/site' },
  )
  return { places, properties: code.properties }
}

it('leaves live code to the theme that runs it', () => {
  expect(compile(true)).toEqual({ places: [], properties: { className: ['language-jsx'], live: true } })
})

it.each([true, ''])(
  'shows live code (%j) as any other without that theme, and says where it stands',
  (live) => {
    const { places, properties } = compile(false, live)
    expect(places).toEqual(['docs/a.md:7'])
    expect(properties).toMatchObject({ prerendered: expect.stringContaining('<b>1</b>') })
  },
)

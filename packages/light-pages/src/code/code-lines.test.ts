import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCode, writeLines } from './code-lines.ts'
import { createHighlighter } from './highlight.ts'

const highlight = createHighlighter(import.meta.filename, { listed: [], hasAll: true, themes: [] })

it('returns exactly the code it was given', () => {
  const line = fc.string({ unit: fc.constantFrom(...'ab <>&"\'/{}()=;#$日本語\t`') })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('ts', 'bash', 'text'),
      fc.boolean(),
      fc.constantFrom('div', 'span'),
      (lines, language, isNumbered, tag) => {
        const code = lines.join('\n')
        const html = writeLines(highlight(code, language), { tag, classNames: { 0: ['marked'] }, isNumbered })
        expect(readCode(html)).toBe(code)
      },
    ),
  )
})

it('marks tokens and lines by class only', () => {
  const html = writeLines(highlight('const a = 1\n', 'javascript'), {
    tag: 'div',
    classNames: { 0: ['marked'] },
    isNumbered: false,
  })
  expect(html).toContain('<div class="token-line marked"><span class="token keyword">const</span>')
  expect(html).not.toContain('style=')
})

it('leaves a language it does not know as it is', () => {
  expect(highlight('a < b', 'nonsense')).toEqual(['a &lt; b'])
})

it.each(
  'bash console csharp diff docker dockerfile hcl http java jsonc lua makefile nginx php powershell protobuf rs ruby scss sql terraform toml vue yaml'.split(
    ' ',
  ),
)('highlights %s without being told of it', (language) => {
  const code =
    '# a\n$ echo "b" # c\n<?php $a = 1; ?>\n<p class="x">1</p>\nfn = true // 2\nFROM a = 1;\nGET / HTTP/1.1\n+ b\nif (a) { "b": 1 }\n'
  expect(highlight(code, language).join('')).toContain('<span class="token ')
})

it.each(['constructor', '__proto__', 'toString', '../../x'])('takes %s for no language', (language) => {
  expect(highlight('a < b', language)).toEqual(['a &lt; b'])
})

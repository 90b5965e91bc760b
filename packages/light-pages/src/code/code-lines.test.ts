import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCode, writeLines } from './code-lines.ts'
import { createHighlighter } from './highlight.ts'

const highlight = createHighlighter(import.meta.filename, ['bash'])

it('returns exactly the code it was given', () => {
  const line = fc.string({ unit: fc.constantFrom(...'ab <>&"\'/{}()=;#$日本語\t`') })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('ts', 'bash', 'text'),
      fc.boolean(),
      (lines, language, isNumbered) => {
        const code = lines.join('\n')
        expect(
          readCode(writeLines(highlight(code, language), { classNames: { 0: ['marked'] }, isNumbered })),
        ).toBe(code)
      },
    ),
  )
})

it('marks tokens and lines by class only', () => {
  const html = writeLines(highlight('const a = 1\n', 'javascript'), {
    classNames: { 0: ['marked'] },
    isNumbered: false,
  })
  expect(html).toContain('<div class="token-line marked"><span class="token keyword">const</span>')
  expect(html).not.toContain('style=')
})

it('leaves a language it does not know as it is', () => {
  expect(highlight('a < b', 'nonsense')).toEqual(['a &lt; b'])
})

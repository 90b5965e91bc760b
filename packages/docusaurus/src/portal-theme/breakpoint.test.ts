import { expect, it } from 'vitest'
import { desktopFrom996 } from './breakpoint.ts'

it.each([
  ['(max-width: 996px)', '(max-width:995.98px)'],
  ['(min-width:997px)', '(min-width:996px)'],
  ['screen and (min-width: 997px) and (hover)', 'screen and (min-width:996px) and (hover)'],
  ['(max-width: 997px)', '(max-width: 997px)'],
  ['(min-width: 1440px)', '(min-width: 1440px)'],
])('%s', (params, moved) => {
  const rule = { params }
  desktopFrom996.AtRule.media(rule)
  expect(rule.params).toBe(moved)
})

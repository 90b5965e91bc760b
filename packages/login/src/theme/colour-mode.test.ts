import { expect, it } from 'vitest'
import { readColourMode } from './colour-mode.ts'

it.each<[string, [string, string][], boolean, 'light' | 'dark']>([
  ['nothing is stored, whatever the system prefers', [], true, 'light'],
  ['dark was chosen', [['theme', 'dark']], false, 'dark'],
  ['light was chosen on a dark system', [['theme', 'light']], true, 'light'],
  ['the choice is stored for one site of many', [['theme-3f2', 'dark']], false, 'dark'],
  ['system was chosen on a dark system', [['theme', 'system']], true, 'dark'],
  ['system was chosen on a light system', [['theme', 'system']], false, 'light'],
  ['the value is nonsense', [['theme', '"><script>']], true, 'light'],
  [
    'only other keys are stored',
    [
      ['themes', 'dark'],
      ['my-theme', 'dark'],
    ],
    false,
    'light',
  ],
])('when %s', (_, stored, isSystemDark, expected) => {
  expect(readColourMode(stored, isSystemDark)).toBe(expected)
})

import { releaseBefore } from '@sekisho/release'
import { expect, it } from 'vitest'

const [OLD, MIDDLE, NEW] = ['20261101T000000Z-aa', '20261110T000000Z-bb', '20261120T000000Z-cc']

it.each([
  ['packed and published in one order', [[NEW], [MIDDLE, 30], [OLD, 20]], NEW, MIDDLE],
  ['published after a newer one was', [[NEW, 30], [MIDDLE, 20], [OLD]], OLD, NEW],
  [
    'after a first rollback, further back',
    [
      [NEW, 40],
      [MIDDLE, 30],
      [OLD, 20],
    ],
    MIDDLE,
    OLD,
  ],
  ['where no time was noted, by packing', [[NEW], [MIDDLE], [OLD]], MIDDLE, OLD],
  ['the only one', [[NEW]], NEW, undefined],
  ['nothing served', [[NEW], [OLD]], null, undefined],
] as const)('a rollback goes to the release that was published before: %s', (_row, rows, served, before) => {
  const kept = rows.map(([id, replacedAtMs]) => (replacedAtMs === undefined ? { id } : { id, replacedAtMs }))
  expect(releaseBefore(kept, served)).toBe(before)
})

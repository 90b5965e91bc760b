import { expect, it } from 'vitest'
import { chooseEdition } from './choose-edition.ts'

const EDITIONS = [
  { name: 'operators', audiences: ['ops'] },
  { name: 'partners', audiences: ['partner'] },
  { name: 'everyone', audiences: [] },
]

it.each([
  ['a reader of a group', ['ops'], {}, 'operators'],
  ['a reader without groups', [], {}, 'everyone'],
  ['one who views another', ['ops', 'partner'], { viewingAs: 'partners' }, 'partners'],
  ['one who views what is not theirs', ['partner'], { viewingAs: 'operators' }, 'partners'],
  ['a limit to a narrower one', ['ops'], { limit: 'everyone' }, 'everyone'],
  ['a limit to one of theirs', ['ops', 'partner'], { limit: 'partners' }, 'partners'],
  ['a limit to one with as many audiences', ['ops'], { limit: 'partners' }, 'everyone'],
  ['a limit wider than the reader', [], { limit: 'operators' }, 'everyone'],
  ['a limit that they view past', ['ops'], { limit: 'everyone', viewingAs: 'operators' }, 'everyone'],
  ['a limit that no edition has now', ['ops'], { limit: 'staff' }, undefined],
])('chooses for %s', (_who, groups, named, expected) => {
  const chosen = chooseEdition(EDITIONS, new Set(groups), { viewingAs: null, limit: null, ...named })
  expect(chosen?.name).toBe(expected)
})

it.each([
  ['everyone', 'everyone'],
  ['staff', undefined],
])('holds a token to %s on a site without audiences', (limit, expected) => {
  expect(chooseEdition(EDITIONS.slice(2), new Set(), { viewingAs: null, limit })?.name).toBe(expected)
})

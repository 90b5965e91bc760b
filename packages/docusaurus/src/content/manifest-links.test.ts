import { expect, it } from 'vitest'
import { withCookies } from './manifest-links.ts'

it.each([
  [
    '<link rel="manifest" href="/m.json">',
    '<link crossorigin="use-credentials" rel="manifest" href="/m.json">',
  ],
  ['<link href=/m.json rel=manifest>', '<link crossorigin="use-credentials" href=/m.json rel=manifest>'],
])('%s becomes %s', (link, told) => {
  expect(withCookies(`<head>${link}</head>`)).toBe(`<head>${told}</head>`)
})

it.each([
  '<link rel="manifest" href="/m.json" crossorigin="anonymous">',
  '<link rel="icon" href="/manifest">',
  '<p>rel=manifest</p>',
])('%s stays', (html) => {
  expect(withCookies(html)).toBe(html)
})

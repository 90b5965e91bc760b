import { assert, constantFrom, property, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PlainHeaders } from '../plain-headers.ts'
import type { RequestHeader } from './parse-request.ts'
import { createOwnAddress, resolveTarget } from './request-address.ts'

const OWN = createOwnAddress(new URL('https://portal.test'), new Set())

function resolve(target: string) {
  const headers = new PlainHeaders({ host: 'portal.test' })
  const rest = { bodyBytes: 0, keepAlive: true, expectsContinue: false, isHttp10: false }
  const header: RequestHeader = { method: 'GET', target, headers, ...rest }
  return resolveTarget(header, OWN)
}

describe('the URL that a request names', () => {
  it.each(['/', '/a', '/a/', '/docs/guide-1_2.html', '/a?q=%E6%97%A5', '//other.test/'])(
    'is as %s was sent',
    (target) => {
      expect(resolve(target)).toBe(`https://portal.test${target}`)
    },
  )
  it.each(['/.', '/..', '/a/../b', '/a/.', '/%2e%2e/a', '/a\\b', '*', 'a', '/a#b'])(
    'is none for %s, which URL parsing would change',
    (target) => expect(resolve(target)).toEqual(expect.objectContaining({ status: 400 })),
  )
  it('survives parsing, whichever way it was judged', () => {
    const pieces = constantFrom('/', '.', '..', '-', '_', 'a', 'Z', '0', '~', '%', '%41', '\\', '?', '@', ':')
    const targets = stringMatching(/^\/[\x21-\x7e]{0,12}$/)
    const joined = pieces.chain((first) => pieces.map((second) => `/a${first}${second}`))
    for (const arbitrary of [targets, joined]) {
      assert(
        property(arbitrary, (target) => {
          const url = resolve(target)
          expect(typeof url !== 'string' || URL.parse(url)?.href === url).toBe(true)
        }),
        { numRuns: 2_000 },
      )
    }
  })
})

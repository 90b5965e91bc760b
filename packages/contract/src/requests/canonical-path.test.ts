import { describe, expect, it } from 'vitest'
import { canonicalPath, encodePath, equivalentPath } from './canonical-path.ts'

const ACCEPTED: readonly (readonly [pathname: string, path: string])[] = [
  ['/', '/'],
  ['/docs/secret', '/docs/secret'],
  ['/docs/secret/', '/docs/secret/'],
  ['/docs/secret.', '/docs/secret.'],
  ['/docs/%E7%92%B0%E5%A2%83', '/docs/環境'],
  ['/docs/%E3%81%8C', '/docs/が'],
  ['/files/%E8%B3%87%E6%96%99%201.pdf', '/files/資料 1.pdf'],
  ['/@scope/a+b,c=d&e~f!', '/@scope/a+b,c=d&e~f!'],
  ['/a[b]|c', '/a[b]|c'],
  ['/docs/secret?x=/login??', '/docs/secret'],
]

const REFUSED: readonly (readonly [row: string, pathname: string])[] = [
  ['1 encoded slash', '/docs%2Fsecret'],
  ['1 encoded slash, lower case', '/docs%2fsecret'],
  ['2 leading double slash', '//docs/secret'],
  ['2 inner double slash', '/docs//secret'],
  ['2 trailing double slash', '/docs/secret//'],
  ['3 encoded backslash', '/docs%5Csecret'],
  ['4 encoded letter', '/%64ocs/secret'],
  ['4 encoded unreserved', '/docs/%7Esecret'],
  ['5 double encoding', '/%2564ocs/secret'],
  ['6 triple encoding', '/%252564ocs/secret'],
  ['7 double-encoded dots', '/%252e%252e/secret'],
  ['7 encoded slash after dots', '/..%2fsecret'],
  ['8 path parameter before dots', '/public/..;/docs/secret'],
  ['9 path parameter', '/docs;x=1/secret'],
  ['9 path parameter with extension', '/docs/secret;.css'],
  ['9 encoded semicolon', '/docs/secret%3B.css'],
  ['10 encoded hash', '/docs/secret%23/endpoint'],
  ['10 encoded question mark', '/docs/secret%3Fx'],
  ['14 encoded trailing dot', '/docs/secret%2E'],
  ['15 NUL', '/docs/secret%00.css'],
  ['15 CRLF', '/docs/secret%0D%0Ax'],
  ['15 tab', '/docs/secret%09'],
  ['15 DEL', '/docs/secret%7F'],
  ['15 C1 control', '/docs/secret%C2%85'],
  ['16 bare percent', '/docs/secret%'],
  ['16 bad hex', '/docs/%zz'],
  ['16 overlong slash', '/docs%c0%afsecret'],
  ['16 invalid byte', '/docs/%ff'],
  ['16 encoded surrogate', '/docs/%ED%A0%80'],
  ['17 NFD', '/docs/%E3%81%8B%E3%82%99'],
  ['17 lower-case hex', '/docs/%e3%81%8c'],
]

describe('canonicalPath', () => {
  it.each(ACCEPTED)('reads %s', (pathname, path) => {
    expect(canonicalPath(`https://portal.test${pathname}`)).toBe(path)
  })

  it.each(REFUSED)('refuses %s', (_row, pathname) => {
    expect(canonicalPath(`https://portal.test${pathname}`)).toBeNull()
  })

  it.each(REFUSED)('refuses %s also when it is asked again', (_row, pathname) => {
    const url = `https://portal.test${pathname}`
    expect([canonicalPath(url), canonicalPath(url)]).toEqual([null, null])
  })

  it('keeps look-alike separators as ordinary characters of one segment', () => {
    expect(canonicalPath('https://portal.test/docs／secret')).toBe('/docs／secret')
  })

  it.each(ACCEPTED)('%s survives the way back', (pathname, path) => {
    expect(canonicalPath(`https://portal.test${encodePath(path)}`)).toBe(path)
    expect(pathname.startsWith(encodePath(path))).toBe(true)
  })
})

describe('equivalentPath', () => {
  it.each([
    ['/%64ocs/secret', '/docs/secret'],
    ['/docs/%7Esecret', '/docs/~secret'],
    ['/docs/%e7%92%b0%e5%a2%83', '/docs/環境'],
    ['/C%2B%2B%E5%85%A5%E9%96%80/', '/C++入門/'],
    ['/%28a%29%21%24%26%27%2A%2C%3A%3D%40', "/(a)!$&'*,:=@"],
    ['/%5Ba%5D%7Cb%5E', '/[a]|b^'],
    ['/docs/secret%2E', '/docs/secret.'],
    ['/%5F_gate/session', '/__gate/session'],
    ['/100%E2%85%93%20off.pdf?rate=%7E', '/100⅓ off.pdf'],
  ])('reads %s as %s', (sent, path) => {
    const url = `https://portal.test${sent}`
    expect([equivalentPath(url), canonicalPath(url)]).toEqual([path, sent.includes('%20') ? path : null])
    expect(canonicalPath(`https://portal.test${encodePath(path)}`), 'no circle').toBe(path)
  })

  const EQUIVALENT = /^(?:4|14|17 lower-case)/
  it.each(REFUSED.filter(([row]) => !EQUIVALENT.test(row)))('refuses %s', (_row, sent) => {
    expect(equivalentPath(`https://portal.test${sent}`)).toBeNull()
  })

  it('sends every byte, encoded, to a canonical path or nowhere', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const hex = byte.toString(16).padStart(2, '0')
      for (const sent of [`/a%${hex}b`, `/%${hex}`, `/${String.fromCodePoint(byte)}/%${hex.toUpperCase()}`]) {
        const path = equivalentPath(`https://portal.test${sent}`)
        if (path !== null) expect(canonicalPath(`https://portal.test${encodePath(path)}`), sent).toBe(path)
      }
    }
  })
})

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url))
/** Scripts that run in a browser. */
const OF_BROWSERS = /^contract\/src\/previews\/preview-entry\.ts$|\/browser\/|\/page-script\.ts$/

/** Streams, held to its own bounds of bytes, characters and time (`answers.test.ts`). */
const STREAMING = 'server/src/answers/model-endpoint.ts'

it('no response of another server is read without bounds of bytes and time', () => {
  const files = globSync('{contract,wire,release,search,server,sekisho,verify}/src/**/*.{ts,js}', {
    cwd: PACKAGES,
  })
  const unbounded = files.filter((path) => {
    if (/\.test\.ts$|\/testing\//.test(path) || OF_BROWSERS.test(path) || path === STREAMING) return false
    return /\bfetch\(/.test(readFileSync(`${PACKAGES}${path}`, 'utf8')) // calls of `boundFetch(fetch, …)` are not
  })
  expect(unbounded).toEqual([])
})

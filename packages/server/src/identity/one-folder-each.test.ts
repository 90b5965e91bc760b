import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOMS = fileURLToPath(new URL('../../..', import.meta.url))

/** Places that may name a provider: its folders, the agreements of both sides, the lists of kinds, and its settings. */
const HOMES = [
  'contract/src/login/firebase.ts',
  'contract/src/login/login-document.ts',
  'contract/src/login/login-page.ts',
  'server/src/config/settings-table.ts',
  'server/src/texts/en/settings.ts',
  'server/src/texts/ja/settings.ts',
  'server/src/identity/firebase/',
  'server/src/identity/local/',
  'server/src/config/read-providers.ts',
  'server/src/local-identity/',
  'login/src/firebase/',
  'login/src/main.tsx',
]

it('nothing outside of its folders, its part of the login page and its settings names a provider', () => {
  const files = globSync('{contract,login,server,verify,wire}/src/**/*.{ts,tsx,js}', {
    cwd: ROOMS,
  })
  const judged = files.filter(
    (path) => !/\.test\.|\/testing\//.test(path) && !HOMES.some((home) => path.startsWith(home)),
  )
  expect(judged.length).toBeGreaterThan(150)
  expect(
    judged.filter((path) => /firebase|google(?:apis)?\.com/i.test(readFileSync(`${ROOMS}${path}`, 'utf8'))),
  ).toEqual([])
})

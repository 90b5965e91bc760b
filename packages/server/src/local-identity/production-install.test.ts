import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly dependencies?: Record<string, string> }>
  >
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
) as LockFile

it('comes without the official emulator, which one test installs for itself', () => {
  expect(Object.keys(packages).filter((path) => path.endsWith('node_modules/firebase-tools'))).toEqual([])
})

it('is needed by no package that production installs', () => {
  const dependents = Object.entries(packages).filter(
    ([, { dev, dependencies = {} }]) => dev !== true && '@sekisho/local-identity' in dependencies,
  )
  expect(dependents.map(([path]) => path)).toEqual([])
})

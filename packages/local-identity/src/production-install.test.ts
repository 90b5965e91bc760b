import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly dependencies?: Record<string, string> }>
  >
}

const lock = JSON.parse(
  readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
) as LockFile

it('leaves the emulator to development: an install for production does not contain it', () => {
  expect(lock.packages['node_modules/firebase-tools']).toMatchObject({ dev: true })
})

it('is needed by no package that production installs', () => {
  const dependents = Object.entries(lock.packages).filter(
    ([, { dev, dependencies = {} }]) =>
      dev !== true && ('@sekisho/local-identity' in dependencies || 'firebase-tools' in dependencies),
  )
  expect(dependents.map(([path]) => path)).toEqual([])
})

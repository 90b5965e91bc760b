import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SETTINGS } from '@sekisho/gate/settings'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Files that a document names by their whole path below `packages`; what is in italics is still to be made. */
function namedIn(document: string): readonly string[] {
  const text = readFileSync(`${ROOT}${document}`, 'utf8').replace(/\*[^*\n]*`[^*\n]*\*/g, '')
  const found = text.matchAll(/`([a-z-]+\/(?:src|test|pack)\/[\w./-]*)`/g)
  return [...new Set([...found].map(([, path = '']) => path))]
}

it.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s names no file that is not there', (document) => {
  const named = namedIn(document)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(`${ROOT}packages/${path}`))).toEqual([])
})

it('deploy/settings.md names every setting, and none that is not there', () => {
  const text = readFileSync(`${ROOT}deploy/settings.md`, 'utf8')
  const named = new Set(
    [...text.matchAll(/`((?:SEKISHO|FIREBASE|AWS)_[A-Z0-9_]+)`/g)].map(([, name]) => name),
  )
  expect([...named].sort()).toEqual(Object.keys(SETTINGS).sort())
})

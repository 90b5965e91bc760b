import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { settingsPages } from '../../pack/settings-pages.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

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

/** One screen; that of the search holds its design. */
const MAX_README_LINES: Readonly<Record<string, number>> = { 'packages/search': 110 }
it.each(globSync('packages/*', { cwd: ROOT }))(
  '%s has a README of one screen that names files of its own',
  (room) => {
    const text = readFileSync(`${ROOT}${room}/README.md`, 'utf8')
    expect(text.split('\n').length).toBeLessThan(MAX_README_LINES[room] ?? 45)
    const named = [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(`${ROOT}${room}/${path}`))).toEqual([])
  },
)

it.each([...settingsPages()])(
  '%s is what the table of settings makes; npm run settings writes it',
  (path, text) => {
    expect(readFileSync(`${ROOT}${path}`, 'utf8')).toBe(text)
  },
)

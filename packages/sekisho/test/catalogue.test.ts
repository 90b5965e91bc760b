import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HEADER_ROWS, METHOD_ROWS, PATH_ROWS, RAW_ROWS, REDIRECT_ROWS, SIDE_DOOR_ROWS } from '@sekisho/verify'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LAST_CLASS = 77

/** Classes of attack named in front of a test: `'49 …'`, `'60 61 …'`. */
function classesOfTests(): Set<number> {
  const files = globSync(['packages/*/{src,test}/**/*.test.ts', 'e2e/*.spec.ts'], { cwd: ROOT })
  expect(files.length).toBeGreaterThan(50)
  const text = files.map((file) => readFileSync(`${ROOT}/${file}`, 'utf8')).join('\n')
  const titles = [...text.matchAll(/['"`]((?:\d{1,2} )+)[a-z%$"]/gi)]
  return new Set(titles.flatMap(([, numbers = '']) => numbers.trim().split(' ').map(Number)))
}

/** Files that SECURITY.md names in code marks; without a folder of the root they lie below `packages`. */
function filesNamed(text: string): string[] {
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|json|md)|[\w-]+(?:\/[\w-]+)*\/)`/g)]
  return names.map(([, name = '']) =>
    /^(?:packages|e2e|decisions|scripts)\//.test(name) ? name : `packages/${name}`,
  )
}

describe('the catalogue of threats', () => {
  it('has rows or tests for every class', () => {
    const rows = [PATH_ROWS, METHOD_ROWS, HEADER_ROWS, RAW_ROWS, SIDE_DOOR_ROWS, REDIRECT_ROWS].flat()
    const covered = new Set([...rows.map(({ threat }) => threat), ...classesOfTests()])
    const all = Array.from({ length: LAST_CLASS }, (_, index) => index + 1)
    expect(all.filter((number) => !covered.has(number))).toEqual([])
  })

  it('names no row twice', () => {
    for (const rows of [PATH_ROWS, METHOD_ROWS, HEADER_ROWS, RAW_ROWS, REDIRECT_ROWS]) {
      const names = rows.map(({ threat, name }) => `${threat} ${name}`)
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
  })
})

describe('SECURITY.md', () => {
  it('names files that exist', () => {
    const named = filesNamed(readFileSync(`${ROOT}/SECURITY.md`, 'utf8'))
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !existsSync(`${ROOT}/${name}`))).toEqual([])
  })
})

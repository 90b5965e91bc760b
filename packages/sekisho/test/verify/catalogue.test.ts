import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  HEADER_ROWS,
  METHOD_ROWS,
  PARAMETER_ROWS,
  PATH_ROWS,
  RAW_ROWS,
  REDIRECT_ROWS,
  SIDE_DOOR_ROWS,
} from '@sekisho/verify'
import { describe, expect, it } from 'vitest'
import { BROKEN_EDITIONS } from '../support/broken/broken-editions.ts'
import { ALL_BROKEN_GATES } from '../support/broken/broken-gates.ts'
import { BROKEN_PROXIES } from '../support/broken/broken-proxies.ts'
import { BROKEN_BUILDS } from '../support/edition-fixture.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const LAST_CLASS = 77

/** Classes of attack named in front of a test: `'49 …'`, `'60 61 …'`. */
function classesOfTests(): Set<number> {
  const files = globSync(['packages/*/{src,test}/**/*.test.ts', 'lab/*/*.test.ts', 'e2e/*/*.spec.ts'], {
    cwd: ROOT,
  })
  expect(files.length).toBeGreaterThan(50)
  const text = files.map((file) => readFileSync(`${ROOT}/${file}`, 'utf8')).join('\n')
  const titles = [...text.matchAll(/['"`]((?:\d{1,2} )+)[a-z%$"]/gi)]
  return new Set(titles.flatMap(([, numbers = '']) => numbers.trim().split(' ').map(Number)))
}

/** Files that docs/assurance.md names in code marks; without a folder of the root they lie below `packages`. */
function filesNamed(text: string): string[] {
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|json|md)|[\w-]+(?:\/[\w-]+)*\/)`/g)]
  return names.map(([, name = '']) =>
    /^(?:packages|e2e|decisions|scripts|lab|deploy)\//.test(name) ? name : `packages/${name}`,
  )
}

describe('the catalogue of threats', () => {
  it('has rows or tests for every class', () => {
    const rows = [
      PATH_ROWS,
      METHOD_ROWS,
      HEADER_ROWS,
      RAW_ROWS,
      SIDE_DOOR_ROWS,
      REDIRECT_ROWS,
      PARAMETER_ROWS,
    ].flat()
    const covered = new Set([...rows.map(({ threat }) => threat), ...classesOfTests()])
    const all = Array.from({ length: LAST_CLASS }, (_, index) => index + 1)
    expect(all.filter((number) => !covered.has(number))).toEqual([])
  })

  it('names no row twice', () => {
    const doors = [...SIDE_DOOR_ROWS, ...REDIRECT_ROWS].map(({ threat, target }) => `${threat} ${target}`)
    const named = [PATH_ROWS, METHOD_ROWS, HEADER_ROWS, RAW_ROWS, PARAMETER_ROWS].map((rows) =>
      rows.map(({ threat, name }) => `${threat} ${name}`),
    )
    for (const names of [...named, doors]) {
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
  })
})

describe('docs/assurance.md', () => {
  it('says in how many ways the gate and the proxy before it are broken on purpose', () => {
    const text = readFileSync(`${ROOT}/docs/assurance.md`, 'utf8')
    const [, gates, proxies] = /break the gate in (\d+) ways and a proxy before it in (\d+)/.exec(text) ?? []
    expect([Number(gates), Number(proxies)]).toEqual([ALL_BROKEN_GATES.length, BROKEN_PROXIES.length])
    const [, ways, builds] = /and editions in (\d+) ways and (\d+) builds/.exec(text) ?? []
    expect([Number(ways), Number(builds)]).toEqual([BROKEN_EDITIONS.length, BROKEN_BUILDS.length])
  })

  it('names files that exist', () => {
    const named = filesNamed(readFileSync(`${ROOT}/docs/assurance.md`, 'utf8'))
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !existsSync(`${ROOT}/${name}`))).toEqual([])
  })
})

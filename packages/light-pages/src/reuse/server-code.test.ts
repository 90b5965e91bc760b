import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BundleChunk } from '../bundle.ts'
import { type Environment, hashServerCode, LIST_CHUNK } from './server-code.ts'

const environment: Environment = { env: { LABEL: 'a', OTHER: 'a' }, words: ['v26', 'Asia/Tokyo', 'Mon'] }

/** The entry loads a theme part and the list of pages; page `a` loads a part of its own. */
const CHUNKS: [id: string, source: string, children: string[], name?: string][] = [
  ['1', 'entry', ['3', '5'], 'main'],
  ['2', 'page a', ['4']],
  ['3', 'list of pages', ['2', '6'], LIST_CHUNK],
  ['4', 'part of page a', ['2']],
  ['5', 'part of the theme', []],
  ['6', 'page b', []],
]

const placements = new Map([
  ['a.md', { module: 'a', chunks: ['2'] }],
  ['b.md', { module: 'b', chunks: ['6'] }],
])
const pages = [
  { path: '/a', requests: ['a.md'] },
  { path: '/b', requests: ['b.md'] },
]

function hash(change: { [id: string]: string } = {}, around = environment) {
  const outDir = mkdtempSync(join(tmpdir(), 'sekisho-server-'))
  const chunks = new Map<string, BundleChunk>()
  for (const [id, source, children, name] of CHUNKS) {
    writeFileSync(join(outDir, `${id}.js`), change[id] ?? source)
    for (const key of [id, name ?? id]) chunks.set(key, { id, file: `${id}.js`, children })
  }
  return hashServerCode({ outDir, chunks, placements }, pages, around)
}

const known = hash()

function changed(after: ReturnType<typeof hash>): string[] {
  const paths = Object.keys(known.pages).filter((path) => after.pages[path] !== known.pages[path])
  return after.shared === known.shared ? paths : ['shared', ...paths]
}

describe('the hashes of a server bundle', () => {
  it.each<[what: string, change: { [id: string]: string }, hashes: string[]]>([
    ['a page', { 2: 'page a, edited' }, ['/a']],
    ['what only one page loads', { 4: 'edited' }, ['/a']],
    ['what the entry loads', { 5: 'edited' }, ['shared']],
    ['the entry', { 1: 'entry, edited' }, ['shared']],
    ['the list of pages', { 3: 'one page more' }, []],
  ])('follow a change of %s', (_what, change, hashes) => {
    expect(changed(hash(change))).toEqual(hashes)
  })

  it.each(['require("fs")', 'require("node:child_process")', 'require("some-native-module")'])(
    'are not given to a page that has %s',
    (code) => {
      expect(hash({ 6: code }).pages['/b']).toBeNull()
      expect(hash({ 4: code }).pages['/a']).toBeNull()
      expect(hash({ 5: code }).shared).toBeNull()
    },
  )

  it('are given to code that only computes', () => {
    const code = 'require("node:stream/consumers"); require("util"); "require(\\"fs\\")"'
    expect(hash({ 6: code }).pages['/b']).toMatch(/^\w{64}$/)
  })

  it('change with what surrounds the build', () => {
    expect(changed(hash({}, { ...environment, words: ['v26', 'Asia/Tokyo', 'Tue'] }))).toEqual(['shared'])
  })

  it('change with the environment variables that the code names, or with any when it names none', () => {
    const withEnv = (code: string, env: Environment['env']) =>
      hash({ 6: code }, { ...environment, env }).pages['/b']
    const [before, named, other] = [
      { LABEL: 'a', OTHER: 'a' },
      { LABEL: 'b', OTHER: 'a' },
      { LABEL: 'a', OTHER: 'b' },
    ]
    expect(withEnv('process.env.LABEL', before)).not.toBe(withEnv('process.env.LABEL', named))
    expect(withEnv('process.env.LABEL', before)).toBe(withEnv('process.env.LABEL', other))
    expect(withEnv('f(process.env)', before)).not.toBe(withEnv('f(process.env)', other))
  })
})

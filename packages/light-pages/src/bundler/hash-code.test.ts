import { describe, expect, it } from 'vitest'
import { type CodeChunk, hashServerCode, type Surroundings } from './hash-code.ts'

const surroundings: Surroundings = { env: { LABEL: 'a', OTHER: 'a' }, words: ['v26', 'Asia/Tokyo', 'Mon'] }

const ENTRY = `__webpack_require__.u = (chunkId) => { return {"2": "pa"}[chunkId] + "." + {"2": "1111"}[chunkId]
}
})();
var answer = 1`

/** The entry loads a theme part and the list of pages; page `a` loads a part of its own. */
function bundle(change: { [id: string]: string } = {}): Map<string, CodeChunk> {
  const chunk = (id: string, source: string, children: string[], name?: string): [string, CodeChunk] => [
    id,
    { name, source: change[id] ?? source, children },
  ]
  return new Map([
    chunk('1', ENTRY, ['3', '5'], 'main'),
    chunk('2', 'page a', ['4'], 'pa'),
    chunk('3', 'list of pages', ['2', '6'], 'pages'),
    chunk('4', 'part of page a', ['2']),
    chunk('5', 'part of the theme', []),
    chunk('6', 'page b', [], 'pb'),
  ])
}

const hash = (change: { [id: string]: string } = {}, around = surroundings) =>
  hashServerCode({ chunks: bundle(change), entry: '1', pages: '3' }, around)

const known = hash()

function changed(after: ReturnType<typeof hash>): string[] {
  const pages = Object.keys(known.chunks).filter((name) => after.chunks[name] !== known.chunks[name])
  return after.shared === known.shared ? pages : ['shared', ...pages]
}

describe('the hashes of a server bundle', () => {
  it.each<[what: string, change: { [id: string]: string }, hashes: string[]]>([
    ['a page', { 2: 'page a, edited' }, ['pa']],
    ['what only one page loads', { 4: 'edited' }, ['pa']],
    ['what the entry loads', { 5: 'edited' }, ['shared']],
    ['the entry', { 1: `${ENTRY} + 1` }, ['shared']],
    ['the list of pages', { 3: 'one page more' }, []],
    ['the names of files', { 1: ENTRY.replace('1111', '2222') }, []],
    ['a runtime of another shape', { 1: ENTRY.replace('__webpack_require__.u', 'u') }, ['shared']],
  ])('follow a change of %s', (_what, change, hashes) => {
    expect(changed(hash(change))).toEqual(hashes)
  })

  it.each(['require("fs")', 'require("node:child_process")', 'require("some-native-module")'])(
    'are not given to a page that has %s',
    (code) => {
      expect(hash({ 6: code }).chunks.pb).toBeNull()
      expect(hash({ 4: code }).chunks.pa).toBeNull()
      expect(hash({ 5: code }).shared).toBeNull()
    },
  )

  it('are given to code that only computes', () => {
    expect(
      hash({ 6: 'require("node:stream/consumers"); require("util"); "require(\\"fs\\")"' }).chunks.pb,
    ).toMatch(/^\w{64}$/)
  })

  it('change with the surroundings', () => {
    expect(changed(hash({}, { ...surroundings, words: ['v26', 'Asia/Tokyo', 'Tue'] }))).toEqual(['shared'])
  })

  it('change with the environment variables that the code names, or with any when it names none', () => {
    const withEnv = (code: string, env: Surroundings['env']) =>
      hash({ 6: code }, { ...surroundings, env }).chunks.pb
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

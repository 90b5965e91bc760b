import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { keyOfInput, openKeptResults } from './kept-results.ts'

const createFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'sekisho-results-')), 'names')

const make = (input: string) => (input === '' ? null : `${input}\nの結果`)

/** One build: asks for the results of the inputs and answers which had to be made. */
function build(file: string, inputs: readonly string[], maker = 'v1'): string[] {
  const results = openKeptResults<string | null>(file, maker)
  const made: string[] = []
  for (const input of inputs) {
    const key = keyOfInput(input)
    results.keep(key)
    if (results.read(key) === undefined) {
      made.push(input)
      results.put(key, make(input))
    }
    expect(results.read(key)).toEqual({ value: make(input) })
  }
  results.save()
  results.close()
  return made
}

it('makes each result once', () => {
  const file = createFile()
  expect(build(file, ['甲', ''])).toEqual(['甲', ''])
  expect(build(file, ['甲', '', '乙'])).toEqual(['乙'])
})

it('names what the build before left', () => {
  const file = createFile()
  build(file, ['甲', '乙'])
  expect(openKeptResults(file, 'v1').keys()).toEqual([keyOfInput('甲'), keyOfInput('乙')])
})

it('forgets what a build did not ask for', () => {
  const file = createFile()
  build(file, ['甲', '乙'])
  build(file, ['甲'])
  expect(build(file, ['甲', '乙'])).toEqual(['乙'])
})

it('knows nothing that other code has made', () => {
  const file = createFile()
  build(file, ['甲'])
  expect(build(file, ['甲'], 'v2')).toEqual(['甲'])
})

it('recomputes a damaged result', () => {
  const file = createFile()
  build(file, ['甲', '乙'])
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -4))
  expect(build(file, ['甲', '乙'])).toEqual(['乙'])
})

it('finds lines that lie across the pieces a file is read in', () => {
  const file = createFile()
  const inputs = Array.from({ length: 12 }, (_, at) => `${at}`.repeat(300_000))
  build(file, inputs)
  expect(build(file, inputs)).toEqual([])
})

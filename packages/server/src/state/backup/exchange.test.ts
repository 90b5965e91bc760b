import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { complete, decideExchange, draftOf, finishRestore } from './exchange.ts'

const STAMP = '20261127T180000000Z'
const { renameSync } = fs
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sekisho-exchange-'))
})
afterEach(() => {
  cutAfter(Number.POSITIVE_INFINITY)
  rmSync(root, { recursive: true })
})

/** Every further rename fails: as if the process had ended. */
function cutAfter(renames: number): void {
  let left = renames
  fs.renameSync = (...paths) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    renameSync(...paths)
  }
  syncBuiltinESMExports()
}

const write = (files: Readonly<Record<string, string>>, below = root) => writeFiles(below, files)

function read(below = root): Record<string, string> {
  const found = readdirSync(below, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = found.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    paths.map((path) => [path.slice(below.length + 1), readFileSync(path, 'utf8')]).sort(),
  )
}

async function exchange(): Promise<void> {
  await decideExchange(root, STAMP)
  await complete(root, STAMP)
}

const prefixed = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`before-restore-${STAMP}/${path}`, text]))

const OLD = { 'audit/1.jsonl': 'old', 'local-secret': 'old', 'sessions.db': 'old' }
const NEW = { 'audit/1.jsonl': 'new', 'releases/r': 'new', 'sessions.db': 'new' }
const RESTORED = { ...prefixed(OLD), ...NEW }

it('is completed, wherever it was cut off', async () => {
  for (let renames = 0; renames <= 8; renames += 1) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    write(OLD)
    write(NEW, draftOf(root, STAMP))
    cutAfter(renames)
    const isWhole = await exchange().then(
      () => true,
      () => false,
    )
    cutAfter(Number.POSITIVE_INFINITY)
    expect(isWhole).toBe(renames === 8) // the draft, three leave, the draft again, three enter
    const isUntouched = renames === 0
    expect(await finishRestore({ root })).toBe(
      isWhole || isUntouched ? null : join(root, `before-restore-${STAMP}`),
    )
    expect(read()).toEqual(isUntouched ? OLD : RESTORED)
    expect(await finishRestore({ root })).toBeNull()
  }
})

it('loses nothing that a command wrote meanwhile', async () => {
  for (const renames of [4, 6]) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    write(OLD)
    write(NEW, draftOf(root, STAMP))
    cutAfter(renames)
    await exchange().catch(() => {})
    cutAfter(Number.POSITIVE_INFINITY)
    write({ 'audit/2.jsonl': 'meanwhile', 'sessions.db': 'meanwhile' })
    await finishRestore({ root })
    const kept = Object.entries(read())
    expect(Object.fromEntries(kept)).toMatchObject(prefixed(OLD))
    expect(kept.filter(([, text]) => text === 'meanwhile')).toHaveLength(2)
    expect(read()).toMatchObject({ 'sessions.db': 'new', 'releases/r': 'new', 'audit/1.jsonl': 'new' })
  }
})

import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Body, createBlobReader, DamagedFileError } from './blob-reader.ts'

const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251)
const STORED = { sha256: hash('sha256', BYTES), bytes: BYTES.length }
let folder: string
let file: string
let prototype: FileHandle
let opened: FileHandle[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-blob-'))
  file = join(folder, 'blob')
  writeFileSync(file, BYTES)
  await using handle = await open(file)
  prototype = Object.getPrototypeOf(handle)
  opened = []
  const { stat } = prototype
  vi.spyOn(prototype, 'stat').mockImplementation(function (this: FileHandle, ...args) {
    opened.push(this) // every file is looked at when it is opened
    return stat.apply(this, args)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

async function streamOf(part?: { first: number; last: number }): Promise<ReadableStream<Uint8Array>> {
  return asStream(await createBlobReader({ maxHeldBytes: 1_000 }).read(file, STORED, part))
}

function asStream(body: Body): ReadableStream<Uint8Array> {
  if (body instanceof Uint8Array) throw new Error('not a stream')
  return body
}

const areClosed = () => opened.length > 0 && opened.every(({ fd }) => fd === -1)

describe('a stream of a large file', () => {
  it('reads every byte, then closes the file', async () => {
    expect(await new Response(await streamOf()).bytes()).toEqual(BYTES)
    expect(areClosed()).toBe(true)
    expect(await new Response(await streamOf({ first: 7, last: 200_000 })).bytes()).toEqual(
      BYTES.subarray(7, 200_001),
    )
    expect(areClosed()).toBe(true)
  })

  it('holds no file while it is unread', async () => {
    await streamOf()
    expect(areClosed()).toBe(true)
  })

  it('closes the file when a read fails', async () => {
    const reader = (await streamOf()).getReader()
    await reader.read()
    vi.spyOn(prototype, 'read').mockRejectedValue(Object.assign(new Error('i/o error'), { code: 'EIO' }))
    await expect(reader.read()).rejects.toMatchObject({ code: 'EIO' })
    expect(areClosed()).toBe(true)
  })

  it('closes the file when it becomes shorter', async () => {
    const reader = (await streamOf()).getReader()
    await reader.read()
    truncateSync(file, 1_000)
    await expect(reader.read()).rejects.toBeInstanceOf(DamagedFileError)
    expect(areClosed()).toBe(true)
  })

  it.each([0, 1])(
    'closes the file when it is cancelled after %i reads, also in the middle of one',
    async (reads) => {
      const reader = (await streamOf()).getReader()
      for (let read = 0; read < reads; read += 1) await reader.read()
      const pending = reader.read()
      await reader.cancel()
      await pending
      await expect.poll(areClosed).toBe(true)
    },
  )
})

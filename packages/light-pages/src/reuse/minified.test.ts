import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { expect, it } from 'vitest'
import { keepMinified } from './minified.ts'

it('minifies a chunk again only when its text has changed, and forgets what sixteen builds did not use', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sekisho-minified-'))
  const at = (name: string) => join(folder.path, name)
  const write = (name: string, text: string) => writeFile(at(name), `globalThis.seen = ['${text}', 1 + 1]\n`)
  const built = (name: string) => readFile(at(`out/${name}.js`), 'utf8')
  const kept = async () => Object.values(JSON.parse(await readFile(at('kept.json'), 'utf8')))
  const build = async () => {
    const compiler = rspack({
      mode: 'production',
      context: folder.path,
      entry: { one: './one.js', two: './two.js' },
      output: { path: at('out') },
      plugins: [keepMinified(at('kept.json'))],
    })
    const stats = await new Promise<string>((resolve, reject) =>
      compiler.run((error, stats) => (error ? reject(error) : resolve(String(stats?.toJson().errorsCount)))),
    )
    await new Promise((resolve) => compiler.close(resolve))
    expect(stats).toBe('0')
  }

  await write('one.js', 'first')
  await write('two.js', 'second')
  await build()
  const minified = await built('one')
  expect(minified).toContain('["first",2]')
  // Marked, so that a kept text is told from one that was minified again.
  await writeFile(
    at('kept.json'),
    (await readFile(at('kept.json'), 'utf8')).replaceAll('"text":"', '"text":"/**/'),
  )
  await write('two.js', 'edited')
  await build()
  expect(await built('one')).toBe(`/**/${minified}`)
  expect(await built('two')).toMatch(/^\(.*\["edited",2\]/)
  expect(await kept()).toHaveLength(3)
  for (let builds = 0; builds < 16; builds++) await build()
  expect(await kept()).toHaveLength(2)

  await writeFile(at('kept.json'), '{"cut')
  await build()
  expect(await built('one')).toMatch(/^\(.*\["first",2\]/)
})

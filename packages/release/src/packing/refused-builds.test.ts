import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalPath, encodePath } from '@sekisho/contract/canonical-path'
import { expect, it } from 'vitest'
import { ReleaseError } from '../errors.ts'
import { readPointer } from '../release-store.ts'
import { findPathProblem } from '../request-path.ts'
import { createTestBuild, loadOnlyEdition, type TestBuild } from '../testing/test-build.ts'
import { packRelease } from './pack.ts'

async function packProblems(build: TestBuild): Promise<string> {
  const error = await packRelease({ ...build, clock: Date.now }).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ReleaseError)
  expect(await readPointer(build.releasesDir)).toBeNull()
  return String(error)
}

it.each<[what: string, spoil: (build: TestBuild) => Promise<unknown>, said: string]>([
  [
    'a symbolic link',
    (b) => symlink('/etc/passwd', join(b.buildDir, 'leak.txt')),
    'leak.txt is a symbolic link',
  ],
  ['a linked folder', (b) => symlink('/etc', join(b.buildDir, 'etc')), 'etc is a symbolic link'],
  ['a decomposed name', (b) => b.write('img/か\u3099.png', 'x'), 'not in Unicode NFC'],
  ['a percent sign', (b) => b.write('img/%2e%2e', 'x'), 'servers read differently'],
  ['a question mark', (b) => b.write('what?.txt', 'x'), 'servers read differently'],
  [
    'a semicolon',
    (b) => b.write('img/a;b.png', 'x'),
    '"img/a;b.png" holds one of \\ % ? # ;, which servers read',
  ],
  [
    'a semicolon in a page',
    (b) => b.writeSite({ pages: [{ path: '/docs;v=1', file: 'index.html', title: '版' }] }),
    'the page "/docs;v=1" holds one of',
  ],
  ['a backslash', (b) => b.write('a\\b.txt', 'x'), 'servers read differently'],
  ['a bidirectional override', (b) => b.write('a\u202Egnp.js', 'x'), 'invisible'],
  ['a line break', (b) => b.write('a\nb.txt', 'x'), 'invisible, control'],
  ['a name of the gate', (b) => b.write('__gate/session', 'x'), 'the gate keeps for itself'],
  ['no site.json', (b) => rm(join(b.buildDir, '__sekisho'), { recursive: true }), 'site.json is missing'],
  ['an unknown key', (b) => b.writeSite({ extra: 1 }), 'unknown key "extra"'],
  ['another format', (b) => b.writeSite({ format: 2 }), 'format must be 1'],
  ['no 404 page', (b) => rm(join(b.buildDir, '404.html')), 'no file 404.html'],
  [
    'a page without its file',
    (b) => rm(join(b.buildDir, 'docs/guide/index.html')),
    'no file docs/guide/index.html',
  ],
])('refuses a build with %s and says so', async (_what, spoil, said) => {
  await using build = await createTestBuild()
  await spoil(build)
  expect(await packProblems(build)).toContain(said)
})

/** Characters that names of files have, with a few that servers read differently. */
const CHARACTERS = [...'aA1._-~!$&\'()*+,=:@[]{}|^`<>" %?#;あ環が', 'か\u3099', '\u200b', '\u00a0', '\ud800']

it('serves each name of a file, or refuses it before anything is published', async () => {
  const names = CHARACTERS.flatMap((one) => [`${one}.png`, `a${one}`, `x${one}/a.htm`, `.${one}.html`])
  const refused: string[] = []
  await using build = await createTestBuild()
  for (const name of names) {
    await build.write(name, 'x').catch(() => refused.push(name)) // no file is called so
    if (findPathProblem(`/${name}`) === null) continue
    refused.push(name)
    await rm(join(build.buildDir, name.split('/')[0] ?? name), { recursive: true, force: true })
  }
  const { id } = await packRelease({ ...build, clock: Date.now })
  const { files, redirects } = await loadOnlyEdition(build.releasesDir, id)
  for (const path of [...files.keys(), ...redirects.keys()])
    expect(canonicalPath(`http://portal.test${encodePath(path)}`), path).toBe(path)
  expect(refused.length).toBeGreaterThan(10)
  for (const name of names.filter((one) => !/^\.|~$/.test(one) && !refused.includes(one)))
    expect(files.has(`/${name}`), name).toBe(true)
})

it('serves a page at its own path, whatever its file is called', async () => {
  await using build = await createTestBuild()
  await build.write('C%2B%2B/index.html', '<title>C++</title>')
  await build.writeSite({ pages: [{ path: '/C++', file: 'C%2B%2B/index.html', title: 'C++' }] })
  const { id } = await packRelease({ ...build, clock: Date.now })
  expect((await loadOnlyEdition(build.releasesDir, id)).files.get('/C++')?.delivery).toBe('page')
})

it.each([1, 80])('names a page that is nested 5,000 deep, in a build of %d pages', async (pages) => {
  await using build = await createTestBuild()
  for (let page = 1; page < pages; page += 1) await build.write(`more/${page}.html`, '<p>一</p>')
  const deep = '<div>'.repeat(5_000)
  await build.write('docs/guide/index.html', `<!doctype html><title>深</title>${deep}`)
  for (const _time of ['first', 'second'])
    expect(await packProblems(build)).toContain('docs/guide/index.html nests its elements more than 512 deep')
})

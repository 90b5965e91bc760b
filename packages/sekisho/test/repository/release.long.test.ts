import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeFiles } from '@sekisho/release/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compareVersions } from '../../pack/release/versions.ts'

const RELEASE = fileURLToPath(new URL('../../pack/release/main.ts', import.meta.url))
const TIMEOUT_MS = 240_000

let root: string
let repository: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-release-test-'))
  repository = join(root, 'repository')
  const write =
    'require("fs").mkdirSync(process.argv[1]);require("fs").writeFileSync(process.argv[1]+"/x.tgz","x")'
  const scripts = {
    test: `node -e 'process.exit(require("fs").statSync("..").mode & 1 ? 0 : 1)'`, // other accounts may enter
    'test:long': 'node -e 0',
    pack: `node -e '${write}'`,
    sbom: `node -e 'console.log("{}")'`,
  }
  const locked = { 'packages/a': { version: '0.1.0' }, 'node_modules/@sekisho/a': { link: true } }
  writeFiles(repository, {
    'package.json': JSON.stringify({ name: 'fixture', version: '0.1.0', scripts }, null, 2),
    'packages/a/package.json': `{\n  "version": "0.1.0",\n  "dependencies": {"@sekisho/b": "0.1.0", "jose": "0.1.0"}\n}\n`,
    'package-lock.json': JSON.stringify({
      version: '0.1.0',
      packages: { '': { version: '0.1.0' }, ...locked },
    }),
    'CHANGELOG.md':
      '# Changes\n\n## Unreleased\n\n- Readers see more.\n\n## 0.1.0 (2026-11-01)\n\n- The first.\n',
    'README.md': 'npm install ./sekisho-0.1.0.tgz\n',
    '.gitignore': '/release-files/\n',
  })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Fixture')
  git('config', 'user.email', 'fixture@sekisho.example')
  commit()
  git('tag', 'v0.1.0')
})
afterEach(() => rm(root, { recursive: true, force: true }))

it('adds one commit and a tag with files that can be made again', { timeout: TIMEOUT_MS }, async () => {
  await release('0.2.0')
  expect(git('log', '--format=%s', 'v0.1.0..v0.2.0')).toBe('chore(release): 0.2.0')
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'v0.2.0^{commit}'))
  expect(git('status', '--porcelain')).toBe('')
  expect(await read('packages/a/package.json')).toContain(
    '{\n  "version": "0.2.0",\n  "dependencies": {"@sekisho/b": "0.2.0", "jose": "0.1.0"}\n}',
  )
  expect(JSON.parse(await read('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'packages/a': { version: '0.2.0' } },
  })
  expect(await read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Readers/m)
  expect(await read('README.md')).toContain('sekisho-0.2.0.tgz')
  expect(await read('release-files/NOTES.md')).toBe('- Readers see more.\n')
  const sums = await read('release-files/SHA256SUMS')
  const hash = createHash('sha256').update('x').digest('hex')
  expect(sums.split('\n')).toHaveLength(4)
  expect(sums).toContain(`${hash}  x.tgz\n`)

  await release('0.2.0', '--out', join(root, 'again'))
  expect(await readFile(join(root, 'again', 'SHA256SUMS'), 'utf8')).toBe(sums)
  expect(git('log', '-1', '--format=%s')).toBe('chore(release): 0.2.0')
})

it('a trial adds nothing', { timeout: TIMEOUT_MS }, async () => {
  writeFiles(repository, { 'package.json': (await read('package.json')).replace('node -e 0', 'false') })
  const head = commit()
  await release('0.2.0-rc.1', '--dry-run', '--skip-tests')
  expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([head, 'v0.1.0'])
  expect(await read('release-files/SHA256SUMS')).toContain('x.tgz')
})

const hasNoHash = async () => {
  const lock = JSON.parse(await read('package-lock.json'))
  lock.packages['node_modules/jose'] = { version: '6.0.0' }
  writeFiles(repository, { 'package-lock.json': JSON.stringify(lock) })
}
const replaces = (file: string, from: string, to: string) => async () =>
  writeFiles(repository, { [file]: (await read(file)).replace(from, to) })

it.each<[reason: string, change: () => Promise<void>, args: readonly string[]]>([
  ['node_modules/jose', hasNoHash, ['0.2.0']],
  ['the tests failed', replaces('package.json', 'node -e 0', 'false'), ['0.2.0']],
  [
    'made twice, these differ: x.tgz',
    replaces('package.json', '\\"x\\")', 'crypto.randomUUID())'),
    ['0.2.0', '--dry-run'],
  ],
  ['has no notes', replaces('CHANGELOG.md', '- Readers see more.\n', ''), ['0.2.0']],
  ['v0.1.0 is at another commit', async () => {}, ['0.1.0']],
  ['does not come after 0.1.0', async () => {}, ['0.0.9']],
  ['--skip-tests is for --dry-run only', async () => {}, ['0.2.0', '--skip-tests']],
  ['no version is named', async () => {}, ['latest']],
])('refuses: %s', { timeout: TIMEOUT_MS }, async (reason, change, args) => {
  await change()
  const head = commit()
  await expect(release(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual([head, 'v0.1.0', ''])
})

it('refuses a tree with changes, new files among them', async () => {
  writeFiles(repository, { 'new.ts': '' })
  await expect(release('0.2.0')).rejects.toMatchObject({ stderr: expect.stringContaining('not committed') })
})

it('orders versions as Semantic Versioning does', () => {
  const ordered = ['0.9.0-rc.2', '0.9.0-rc.10', '0.9.0', '0.10.0-alpha', '0.10.0', '1.0.0']
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered)
})

function release(...args: string[]) {
  return promisify(execFile)(process.execPath, [RELEASE, ...args], { cwd: repository })
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim()
}

function commit(): string {
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'change')
  return git('rev-parse', 'HEAD')
}

const read = (file: string): Promise<string> => readFile(join(repository, file), 'utf8')

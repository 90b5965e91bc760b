import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findCodeOwners, readCodeOwners } from './code-owners.ts'

const GITHUB = `
# the last rule counts
*            @acme/devs
docs/        @acme/docs   # at any depth
/docs/*      top@example.co.jp
/docs/規程\\ 集/ @somu @acme/legal
apps/web     @web
*.en.md      @acme/english
/docs/secret/
/docs/api/** @acme/api not-an-owner
/docs/broken/ nobody
!/docs/api/x.md @attacker
\\#odd.md @odd
/a*b?c.md @pattern
`
const GITLAB = `
* @everyone
[Documents][2] @docs-team @@developer
docs/
docs/plain
/docs/api/ @api
^[Legal]
docs/rules/ @legal
[DOCUMENTS]
docs/api/old.md @old
`

it.each<[text: string, file: string, owners: readonly string[]]>([
  [GITHUB, 'README.md', ['@acme/devs']],
  [GITHUB, 'x/docs/a.md', ['@acme/docs']],
  [GITHUB, 'docs/a.md', ['top@example.co.jp']],
  [GITHUB, 'docs/guide/a.md', ['@acme/docs']],
  [GITHUB, 'docs/規程 集/b/a.md', ['@somu', '@acme/legal']],
  [GITHUB, 'apps/web/x/a.md', ['@web']],
  [GITHUB, 'x/apps/web/a.md', ['@acme/devs']],
  [GITHUB, 'x/y/a.en.md', ['@acme/english']],
  [GITHUB, 'docs/secret/a.md', []],
  [GITHUB, 'docs/api/x.md', ['@acme/api']],
  [GITHUB, 'docs/broken/x.md', ['@acme/docs']],
  [GITHUB, '#odd.md', ['@odd']],
  [GITHUB, 'axxbyc.md', ['@pattern']],
  [GITLAB, 'README.md', ['@everyone']],
  [GITLAB, 'x/docs/a.md', ['@everyone', '@docs-team']],
  [GITLAB, 'docs/api/a.md', ['@everyone', '@api']],
  [GITLAB, 'docs/api/old.md', ['@everyone', '@old']],
  [GITLAB, 'x/docs/rules/a.md', ['@everyone', '@docs-team', '@legal']],
  ['', 'README.md', []],
])('owners in %# of %s', (text, file, owners) => {
  expect(readCodeOwners(text)(file)).toEqual(owners)
})

it('is bounded for rules that make other readers backtrack', () => {
  const find = readCodeOwners(
    `${'**/a/'.repeat(400)}b @a\n${'\\ '.repeat(40_000)}\\\n/${'*a'.repeat(99)}b @b\n`,
  )
  expect(find(`${'a/'.repeat(2_000)}c`)).toEqual([])
  expect(find('a'.repeat(4_096))).toEqual([])
})

it('is read from the root of the repository, also below a folder that holds no copy', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-owners-'))
  const site = join(root, 'site')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.co.jp', ...args], { cwd: root })
  await mkdir(join(root, '.github'))
  await mkdir(join(site, 'docs'), { recursive: true })
  expect(findCodeOwners(site)('docs/a.md')).toBeNull()
  git('init', '-q')
  await writeFile(join(root, '.github/CODEOWNERS'), `/site/docs/ @acme/docs b@example.co.jp\n/more/ @more\n`)
  git('add', '.')
  git('commit', '-q', '-m', 'owners')
  expect(findCodeOwners(site)('docs/a.md')).toBe('@acme/docs, b@example.co.jp')
  expect(findCodeOwners(site)('../more/a.md')).toBe('@more')
  await rm(join(root, '.github/CODEOWNERS'))
  expect(findCodeOwners(site)('docs/a.md')).toBe('@acme/docs, b@example.co.jp')
  await rm(root, { recursive: true })
})

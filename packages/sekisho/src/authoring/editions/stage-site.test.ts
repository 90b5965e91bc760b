import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStage } from './stage-site.ts'

it('a checkout that was copied with its stage builds from its own files', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-stage-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  mkdirSync(join(first, 'site'), { recursive: true })
  writeFileSync(join(first, 'shared.css'), 'first')
  execFileSync('git', ['init', '--quiet'], { cwd: first })
  await openStage(join(first, 'site'))
  cpSync(first, second, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(second, 'shared.css'), 'second')
  for (const at of [first, second]) await openStage(join(at, 'site'))
  const staged = (at: string) => readFileSync(join(at, 'site/.cache/edition/shared.css'), 'utf8')
  expect([staged(first), staged(second)]).toEqual(['first', 'second'])
})

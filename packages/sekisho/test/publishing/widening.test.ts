import { join } from 'node:path'
import { readPointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { expect, it } from 'vitest'
import type { CommandIo, RunCommand } from '../../src/command.ts'
import { runPublish } from '../../src/commands/publish/publish.ts'
import { runTokens } from '../../src/commands/publish/tokens.ts'
import { runReleases } from '../../src/commands/releases/releases.ts'
import { startServingGate } from '../support/serving-gate.ts'

const DUTY = { path: '/docs/duty', file: 'docs/duty/index.html', title: '当番' }

async function addDuty(build: TestBuild): Promise<void> {
  await build.write(DUTY.file, pageHtml('当番表'))
  await build.writeSite({ pages: [...SITE.pages, DUTY] })
}

it('shows a restricted page to more readers by no publication and no roll-back without --widen', async () => {
  await using laptop = await createTestBuild()
  await using operators = await createTestBuild()
  const dataDir = join(laptop.root, 'portal')
  let nowMs = Date.UTC(2026, 0, 1)
  async function pack(into: string): Promise<string> {
    const editions = [
      { name: 'operators', audiences: ['operators'], buildDir: operators.buildDir },
      { name: 'everyone', audiences: [], buildDir: laptop.buildDir },
    ]
    return (await packRelease({ editions, dataDir: into, clock: () => (nowMs += 60_000) })).id
  }
  await addDuty(operators)
  const restricted = await pack(dataDir)
  await using gate = await startServingGate({ dataDir, isLocal: true })
  const origin = `http://localhost:${gate.port}`
  const { releases } = dataFolderAt(dataDir)

  async function run(command: RunCommand, args: readonly string[], env: CommandIo['env'] = {}) {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await command(args, {
      ...{ env: { SEKISHO_LANG: 'en', ...env }, cwd: laptop.root, clock: Date.now },
      ...{ print: (line: string) => out.push(line), complain: (line: string) => err.push(line) },
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  const created = await run(runTokens, ['create', '--name', 'ci', '--expires', '1d', '--data-dir', dataDir])
  const env = { SEKISHO_PUBLISH_TOKEN: created.out.split('\n')[0] ?? '' }
  const publish = (...more: string[]) =>
    run(runPublish, ['--to', origin, '--data-dir', laptop.dataDir, ...more], env)
  const rollBack = (...more: string[]) => run(runReleases, ['rollback', ...more, '--to', origin], env)

  await addDuty(laptop)
  const open = await pack(laptop.dataDir)
  const refused = await publish()
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/shown to more readers: \/docs\/duty \(everyone\).*--widen/)
  expect(await readPointer(releases)).toBe(restricted)
  expect(await publish('--widen')).toMatchObject({ code: 0 })
  expect(await readPointer(releases)).toBe(open)

  expect(await rollBack(restricted)).toMatchObject({ code: 0 }) // narrower
  const back = await rollBack(open)
  expect(back.code).toBe(1)
  expect(back.err).toMatch(/shown to more readers: \/docs\/duty \(everyone\).*--widen/)
  expect(await readPointer(releases)).toBe(restricted)
  expect(await rollBack(open, '--widen')).toMatchObject({ code: 0 })
  expect(await readPointer(releases)).toBe(open)
}, 120_000)

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { createLoginPage } from '@sekisho/server'
import { readLoginBundle } from '@sekisho/server/settings'
import { ORIGIN } from '@sekisho/server/testing'
import { describe, expect, it } from 'vitest'
import type { CommandIo } from '../../src/command.ts'
import { runVerify } from '../../src/commands/verify/verify.ts'
import { listenFixtureGate } from '../support/fixture-gate.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'

function createIo(cwd: string) {
  const printed: string[] = []
  const complaints: string[] = []
  const io: CommandIo = {
    env: {},
    cwd,
    clock: Date.now,
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
  }
  return { io, printed, complaints }
}

describe('sekisho verify', () => {
  it('prints its help', async () => {
    const { io, printed } = createIo('.')
    expect(await runVerify(['--help'], io)).toBe(0)
    expect(printed.join('\n')).toContain('Usage: sekisho verify')
  })

  it.each([
    ['an unknown option', ['--nonsense'], /nonsense/],
    ['a URL with a path', ['--url', 'https://docs.example.com/docs'], /origin without a path/],
    ['signing nobody out', ['--url', 'http://127.0.0.1:1', '--sign-out'], /needs --reader/],
    ['a URL that is none', ['--url', 'docs.example.com'], /origin without a path/],
    ['a release that is not there', ['--release', '20250101T000000Z-00000000'], /no readable manifest/],
  ])('refuses %s', async (_name, args, complaint) => {
    await using build = await createTestBuild()
    await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: Date.now })
    const { io, complaints } = createIo(build.root)
    expect(await runVerify([...args, '--data-dir', build.dataDir], io)).toBe(2)
    expect(complaints.join('\n')).toMatch(complaint)
  })

  it('says what to do when there is no release', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sekisho-none-'))
    const { io, complaints } = createIo(folder)
    expect(await runVerify([], io)).toBe(2)
    expect(complaints.join('\n')).toContain('run sekisho build')
    await rm(folder, { recursive: true })
  })

  it('reports a port without a listener', async () => {
    await using build = await createTestBuild()
    await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: Date.now })
    const { io, complaints } = createIo(build.root)
    expect(await runVerify(['--url', 'http://127.0.0.1:1', '--data-dir', build.dataDir], io)).toBe(2)
    expect(complaints.join('\n')).toContain('cannot be reached')
  })

  it.each([
    ['no --host, so that every request is refused', [], {}],
    ['a session that has ended', ['--host', ORIGIN.host], { reader: 'none=1' }],
  ])('verifies nothing, and says so: %s', async (_name, host, { reader }: { reader?: string }) => {
    await using gate = await listenFixtureGate()
    const folder = dirname(gate.releasesDir)
    await writeFile(join(folder, 'reader'), reader ?? (await gate.signIn()))
    const { io, complaints } = createIo(folder)
    const address = ['--url', `http://127.0.0.1:${gate.port}`, ...host, '--reader', 'reader']
    expect(await runVerify(['--quick', ...address, '--data-dir', folder], io)).toBe(2)
    expect(complaints.join('\n')).toContain('nothing was verified')
  })

  it('compares with the title of the gate, prints its controls, and needs a page read with a session', async () => {
    const site = { title: '営業部の手引き', tagline: '営業部だけの文書' }
    const loginBundle = await readLoginBundle()
    const loginPage = createLoginPage({
      ...{ lang: 'ja', site, origin: ORIGIN, providers: [], bundle: loginBundle },
      localeOf: (path) => (`${path}/`.startsWith('/en/') ? 'en' : null),
    })
    await using gate = await listenFixtureGate({ loginPage, loginBundle })
    const folder = dirname(gate.releasesDir)
    await writeFile(join(folder, 'reader'), await gate.signIn())
    const { io, printed } = createIo(folder)
    const address = ['--url', `http://127.0.0.1:${gate.port}`, '--host', ORIGIN.host, '--data-dir', folder]
    expect(await runVerify(['--quick', ...address, '--reader', 'reader'], io)).toBe(0)
    expect(printed.join('\n')).toMatch(/control: login page .* 401, .*営業部の手引き/)
    expect(printed.join('\n')).toMatch(/control: signed in .* GET \//)
    expect(await runVerify(['--quick', ...address], io)).toBe(2)
    expect(printed.at(-1)).toContain('Nothing was verified')
  })

  it('says when the certificate is none, as at a port that speaks plain HTTP', async () => {
    await using gate = await listenFixtureGate()
    const { io, complaints } = createIo('.')
    const address = ['--url', `https://127.0.0.1:${gate.port}`, '--data-dir', dirname(gate.releasesDir)]
    expect(await runVerify(address, io)).toBe(2)
    expect(complaints.join('\n')).toContain('cannot be reached')
  })

  it('starts a gate of its own that speaks English, over a site in Japanese and English, and finds it closed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sekisho-locales-'))
    await writeFixtureSite(join(root, 'build'))
    const { id } = await packRelease({ buildDir: join(root, 'build'), dataDir: root, clock: Date.now })
    const { io, printed, complaints } = createIo(root)
    const env = { SEKISHO_LOGIN_LANG: 'en' }
    const exitCode = await runVerify(['--quick', '--json', '--data-dir', root], { ...io, env })
    await rm(root, { recursive: true })
    expect([exitCode, complaints]).toEqual([0, []])
    const report: unknown = JSON.parse(printed.join('\n'))
    expect(report).toMatchObject({ format: 1, closed: true, releaseId: id, findings: [] })
  }, 120_000)

  it('finds a gate that lets everybody in, and says so in one screen', async () => {
    await using gate = await listenFixtureGate()
    const cookie = await gate.signIn()
    gate.replace((request, peer) => {
      const headers = new Headers(request.headers)
      headers.set('Cookie', cookie)
      return gate.test.gate({ ...request, headers }, peer)
    })
    const { io, printed } = createIo('.')
    const address = ['--url', `http://127.0.0.1:${gate.port}`, '--host', ORIGIN.host]
    const args = ['--quick', ...address, '--data-dir', dirname(gate.releasesDir)]
    expect(await runVerify(args, { ...io, env: { SEKISHO_LANG: 'ja' } })).toBe(1)
    const lines = printed.join('\n').split('\n')
    expect(lines.at(-1)).toMatch(/^✖ 閉じていません。/)
    expect(printed.join('\n')).toContain('リリースの本文が送られました')
    expect(lines.length).toBeLessThan(80)
  })

  it('says what was asked for wrongly in the language of the terminal', async () => {
    const { io, complaints } = createIo('.')
    const env = { SEKISHO_LANG: 'ja' }
    expect(await runVerify(['--url', 'docs.example.com', '--release', 'x'], { ...io, env })).toBe(2)
    expect(complaints.join('\n')).toMatch(/[ぁ-ん]/)
  })
})

import { hash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainJson } from '@sekisho/server/lines'
import { createFileSearchLog, openQueryLog, readSearchReport } from '@sekisho/server/search-log'
import { beforeEach, describe, expect, it } from 'vitest'
import { runSearchReport } from './search-report.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
let root = ''
let folder = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-search-log-'))
  folder = join(root, 'search-log')
})

const ACCOUNT = { issuer: 'i', sub: 'sato' }
const open = () =>
  openQueryLog({
    store: createFileSearchLog(folder),
    digest: (text) => hash('sha256', text),
    days: 30,
    now: () => NOW_MS,
    onFailure(error) {
      throw error
    },
  })

describe('search-report', () => {
  const record = async () => {
    const log = open()
    const searches = [
      ['Docker', 3, 1],
      ['ｄｏｃｋｅｒ', 3, 2],
      ['無い', 0, null],
      ['無い', 0, null],
      ['表', 4, null],
    ] as const
    for (const [q, hits, rank] of searches) {
      log.searched('s', ACCOUNT, { q, hits })
      if (rank === null) await log.flush()
      else log.opened('s', { q, rank, page: '/docs/a' })
    }
    await log.flush()
    await writeFile(join(folder, '2026-11-20.jsonl'), '{"q":"昨日","hits":1}\n{"q":"切れ')
  }
  const run = async (...args: string[]) => {
    const printed: string[] = []
    const io = {
      env: {},
      cwd: root,
      clock: () => NOW_MS,
      print: (line: string) => printed.push(line),
      complain: (line: string) => printed.push(line),
    }
    const exitCode = await runSearchReport(['--data-dir', root, ...args], io)
    return { exitCode, text: printed.join('\n') }
  }

  it('counts queries whatever their width and case', async () => {
    await record()
    const report = await readSearchReport(createFileSearchLog(folder), 1, NOW_MS)
    expect(report.queries).toEqual([
      { q: 'Docker', searches: 2, withoutHit: 0, opened: 2, openedFirst: 1, persons: 0 },
      { q: '無い', searches: 2, withoutHit: 2, opened: 0, openedFirst: 0, persons: 1 },
      { q: '表', searches: 1, withoutHit: 0, opened: 0, openedFirst: 0, persons: 0 },
    ])
  })

  it('proposes synonyms: what three readers gave up before something else was opened', async () => {
    const log = open()
    for (const [q, after] of [
      ['多要素認証', '2fa'],
      ['多要素認証', '２ＦＡ'],
      ['多要素認証', '2fa'],
      ['多要素認証', '2FA'],
      ...Array<readonly [string, string]>(3).fill(['手形', 'パス\u202e']),
      ...Array<readonly [string, string]>(3).fill(['手形', '手形']),
      ...Array<readonly [string, string]>(3).fill(['手形の種類', '手形']),
      ...Array<readonly [string, string]>(2).fill(['冪等', 'べき乗']),
    ] as const)
      log.opened('s', { q, rank: 1, page: '/docs/a', after })
    await log.flush()
    expect((await run()).text).toMatch(
      /Candidates for synonyms.*\n +4 {2}sekisho synonyms '2FA' '多要素認証' {2}# \/docs\/a\n +3 {2}sekisho synonyms 'パス�' '手形' {2}# \/docs\/a$/,
    )
  })

  it('tells what agents looked for apart from what people did', async () => {
    await record()
    const log = open()
    log.searched('one call', ACCOUNT, { q: '無い', hits: 0, by: 'agent' })
    log.searched('the next', ACCOUNT, { q: '監査ログ', hits: 8, by: 'agent' })
    await log.flush()
    const { queries, agents } = await readSearchReport(createFileSearchLog(folder), 1, NOW_MS)
    expect(queries.find(({ q }) => q === '無い')?.searches).toBe(2)
    expect(agents).toEqual([
      { q: '無い', searches: 1, withoutHit: 1, persons: 1 },
      { q: '監査ログ', searches: 1, withoutHit: 0, persons: 0 },
    ])
    expect((await run()).text).toMatch(/Without a hit for agents\n +1 {2}無い\n/)
  })

  it('prints its lists', async () => {
    await record()
    const { exitCode, text } = await run()
    expect(exitCode).toBe(0)
    expect(text).toContain('6 searches and 2 opened results in 30 days')
    expect(text).toMatch(/Most searched\n +2 {2}Docker\n +2 {2}無い/)
    expect(text).toMatch(/Without a hit\n +2 {2}無い\n\n/)
    expect(text).toMatch(/First result not opened\n +1 {2}Docker\n +1 {2}昨日\n +1 {2}表/)
  })

  it.each([
    [['--json', '--days', '1'], 0, '"days": 1'],
    [['--help'], 0, 'Usage: sekisho search-report'],
    [['--days', '0'], 2, 'whole numbers'],
    [['--nope'], 2, 'Usage'],
  ])('%j', async (args, exitCode, text) => {
    await record()
    const result = await run(...args)
    expect([result.exitCode, result.text.includes(text)]).toEqual([exitCode, true])
  })

  it('moves no cursor and reorders no line, in JSON either', async () => {
    await record()
    const q = 'a\u202eb\u2028c\u001b[2J'
    await writeFile(join(folder, '2026-11-19.jsonl'), `${plainJson({ q, hits: 1 })}\n`)
    for (const args of [[], ['--json']]) {
      const { text } = await run(...args)
      expect(text).toContain('[2J')
      for (const char of ['\u202e', '\u2028', '\u001b']) expect(text).not.toContain(char)
    }
    const { queries } = JSON.parse((await run('--json')).text) as { queries: { q: string }[] }
    expect(queries.map((query) => query.q)).toContain(q)
  })

  it('says when there is nothing to report on', async () => {
    expect(await run()).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('nothing was searched yet'),
    })
  })
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runReport } from './report.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-report-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const LINES = `{"page":"/docs/a","helpful":true,"release":"r1"}
{"page":"/docs/b","helpful":false,"comment":"図が\\u001b[2Jほしい","release":"r2"}
{"page":"/docs/b","helpful":true,"release":"r2"}
{"page":"/docs/b","helpful":false,"comment":"手順 3 の\\u001b[2Jコマンドがない","release":"r2","by":"agent"}
{"page":"/docs/a","he`

async function run(...args: string[]) {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const io = { env: { LANG: 'ja_JP.UTF-8' }, cwd: root, clock: () => NOW_MS, print, complain: print }
  const exitCode = await runReport(['--data-dir', root, ...args], io)
  return { exitCode, text: printed.join('\n') }
}

describe('sekisho report', () => {
  it('lists what helped least first, with the sentences, which cannot move the cursor', async () => {
    await mkdir(join(root, 'feedback'))
    await writeFile(join(root, 'feedback', '2026-11-20.jsonl'), LINES)
    expect(await run()).toEqual({
      exitCode: 0,
      text: `30 日間に 2 ページへ 3 件の答え

/docs/b  役に立たなかった 1、役に立った 1
  - r2  図が�[2Jほしい
  * r2  エージェントから: 手順 3 の�[2Jコマンドがない

/docs/a  役に立たなかった 0、役に立った 1`,
    })
    expect((await run('--limit', '1')).text).toContain('ほか 1 ページ')
    expect((await run('--days', '1')).text).toContain('0 件の答え')
    expect(JSON.parse((await run('--json')).text).pages).toHaveLength(2)
  })

  it('reports missing responses and the values of options', async () => {
    expect(await run()).toMatchObject({ exitCode: 1, text: expect.stringContaining('まだ答えがありません') })
    expect(await run('--days', '0')).toMatchObject({ exitCode: 2 })
  })
})

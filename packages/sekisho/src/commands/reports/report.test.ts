import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { writeGuideIndex } from '@sekisho/server/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { runReport } from './report.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-report-'))
})

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

  it('lists what five persons looked for in vain, by the owner of the nearest page', async () => {
    await using build = await createTestBuild()
    const guide = pageHtml('手引き').replace('<head>', '<head><meta name="sekisho-owner" content="総務">')
    await build.write('docs/guide/index.html', guide)
    await writeGuideIndex(build, '関所を通る者は、まず手形を見せる。')
    await packRelease({ ...build, clock: () => NOW_MS })
    const own = { databaseUrl: null, folder: dataFolderAt(build.dataDir), context: null, secrets: null }
    await using stores = await openStores({ ...own, onProblem: () => {}, now: () => NOW_MS })
    for (let reader = 0; reader < 5; reader += 1) {
      const of = { hits: 0, reader: `2026-11-16 ${reader}` }
      await stores.searchLog.append('2026-11-20', { ...of, q: '通行手形の再発行はどこでしますか' })
      await stores.searchLog.append('2026-11-20', { ...of, q: 'ウォンバット', by: 'agent' })
      if (reader < 4) await stores.searchLog.append('2026-11-20', { ...of, q: '四人だけ' })
    }
    const at = ['--data-dir', build.dataDir]
    expect(
      (await run(...at)).text.split('\n\n').at(-1),
    ).toBe(`探して見つからなかったもの、最も近いページの担当ごと（1 週間に 5 人以上）: 2
  総務
        5  通行手形の再発行はどこでしますか  /docs/guide
  -
        5  ウォンバット`)
    expect(JSON.parse((await run('--json', ...at)).text).gaps).toMatchObject([
      { owner: '総務' },
      { page: null },
    ])
  })

  it('reports missing responses and the values of options', async () => {
    expect(await run()).toMatchObject({ exitCode: 1, text: expect.stringContaining('まだ答えがありません') })
    expect(await run('--days', '0')).toMatchObject({ exitCode: 2 })
  })
})

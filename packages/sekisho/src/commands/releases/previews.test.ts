import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPreviewStore, type Preview } from '@sekisho/release'
import { startS3Server } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { beforeEach, expect, it } from 'vitest'
import { runPreviews } from './previews.ts'

const NOW = Date.UTC(2026, 10, 23)
const PREVIEW: Preview = {
  name: 'pr-12',
  branch: 'feature/検索',
  commit: '0123456789abcdef',
  createdAtMs: NOW,
  expiresAtMs: NOW + 86_400_000,
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sekisho-previews-'))
})

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await runPreviews(args, {
    env: { SEKISHO_LANG: 'en', SEKISHO_DATA_DIR: folder, ...env },
    cwd: folder,
    clock: () => NOW,
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

it('lists previews with their address, and says when there are none', async () => {
  expect(await run(['list'])).toMatchObject({ code: 0, out: 'There are no previews.' })
  expect((await run(['list'], { SEKISHO_LANG: 'ja' })).out).toBe('プレビューはありません。')
  const store = openPreviewStore({ folder })
  await store.describe(PREVIEW)
  const readers = { domains: [], emails: ['a@example.co.jp'] }
  await store.describe({ ...PREVIEW, name: 'old', createdAtMs: NOW - 9, expiresAtMs: NOW, readers })
  const { code, out } = await run(['list'], { SEKISHO_ORIGIN: 'https://docs.example.co.jp' })
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    expect.stringMatching(
      /^old {2}feature\/検索 {2}012345678 {2}expired .* {2}for readers of its own \(1\)$/,
    ),
    '    https://old--docs.example.co.jp/',
    expect.stringMatching(/^pr-12 {2}feature\/検索 {2}012345678 {2}until \d{4}-/),
    '    https://pr-12--docs.example.co.jp/',
  ])
})

it('removes a preview, and the trail tells who did', async () => {
  const store = openPreviewStore({ folder })
  await store.describe(PREVIEW)
  expect(await run(['remove', 'pr-13'])).toMatchObject({ code: 1, err: expect.stringContaining('"pr-13"') })
  expect(existsSync(dataFolderAt(folder).audit.lines)).toBe(false)
  const { code, out } = await run(['remove', 'pr-12'], { SEKISHO_LANG: 'ja' })
  expect([code, out]).toEqual([0, expect.stringContaining('プレビュー pr-12 を消しました')])
  expect(await store.list()).toEqual([])
  const { lines } = dataFolderAt(folder).audit
  const trail = await Promise.all((await readdir(lines)).map((file) => readFile(join(lines, file), 'utf8')))
  expect(trail.join()).toContain('"act":"preview_removed"')
})

it('works on a bucket, where the settings name one', async () => {
  await using server = await startS3Server()
  const env = {
    SEKISHO_RELEASES: `s3://${server.bucket}/team?endpoint=${server.endpoint.origin}&region=${server.region}`,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
  }
  const bucket = { ...server, prefix: 'team/', credentials: () => server.credentials }
  await openPreviewStore({ bucket }).describe(PREVIEW)
  expect((await run(['list'], env)).out).toContain('pr-12  feature/検索')
  expect((await run(['remove', 'pr-12'], env)).code).toBe(0)
  expect((await run(['list'], env)).out).toBe('There are no previews.')
})

it.each([[[]], [['list', 'pr-1']], [['remove']], [['rename', 'pr-1']], [['list', '--all']]])(
  'refuses %j with its help',
  async (args) => {
    expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining('sekisho previews list') })
  },
)

it.each(['../releases', 'PR-1'])('removes nothing for %j', async (name) => {
  expect((await run(['remove', name])).code).toBe(1)
})

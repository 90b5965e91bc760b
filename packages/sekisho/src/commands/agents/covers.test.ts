import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CoveringPages } from '@sekisho/contract/covering-pages'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCovers } from './covers.ts'

const TOKEN = 'sekisho_personal_test'
const PAGES: CoveringPages = {
  pages: [
    { path: '/docs/決済', title: '決済 [手順] <b>', owner: '決済チーム', covers: ['src/payments/**'] },
    { path: '/docs/other', title: 'Other', owner: null, covers: ['lib/**'] },
    { path: '/docs/moved', title: 'Moved', owner: null, covers: ['old/*.ts'] },
  ],
  more: 0,
}

let repository: string
let origin: string
const server = createServer(({ headers, url }, response) => {
  const isRight = headers.authorization === `Bearer ${TOKEN}` && url === '/__gate/covers'
  response.writeHead(isRight ? 200 : 401).end(JSON.stringify(isRight ? PAGES : {}))
})

beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), 'sekisho-covers-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repository })
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'change')
  }
  git('init', '-q')
  mkdirSync(join(repository, 'old'))
  writeFileSync(join(repository, 'old/a.ts'), 'same text\n')
  commit()
  mkdirSync(join(repository, 'src/payments'), { recursive: true })
  for (const name of ['a.ts', 'b`c.ts', '鍵.ts', 'z1.ts', 'z2.ts'])
    writeFileSync(join(repository, 'src/payments', name), name)
  git('mv', 'old/a.ts', 'new.ts')
  commit()
  writeFileSync(join(repository, '.git', 'token'), `${TOKEN}\n`)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(repository, { recursive: true })
})

async function run(changed: string, tokenFile = '../.git/token') {
  const printed: string[] = []
  const complained: string[] = []
  const exitCode = await runCovers(['--changed', changed, '--origin', origin, '--token-file', tokenFile], {
    ...{ env: { SEKISHO_LANG: 'ja' }, cwd: join(repository, 'src'), clock: Date.now },
    print: (line) => void printed.push(line),
    complain: (line) => void complained.push(line),
  })
  return { exitCode, printed, complained: complained.join() }
}

it('prints the pages whose patterns match changed and moved files', async () => {
  expect(await run('HEAD~1..HEAD')).toEqual({
    exitCode: 0,
    printed: [
      '### 変更したファイルについて書かれたページです。内容は今も正しいですか。\n',
      `- [決済 \\[手順\\] \\<b\\>](${origin}/docs/%E6%B1%BA%E6%B8%88)（担当: 決済チーム）: \`src/payments/a.ts\`, \`\` src/payments/b\`c.ts \`\`, \`src/payments/z1.ts\`、ほか 2 件`,
      `- [Moved](${origin}/docs/moved): \`old/a.ts\``,
    ],
    complained: '',
  })
})

it('prints nothing when no page covers a change', async () => {
  expect(await run('HEAD..HEAD')).toEqual({ exitCode: 0, printed: [], complained: '' })
})

it('explains unknown commits and a refused token, and passes git no option', async () => {
  expect(await run('nowhere..HEAD')).toMatchObject({
    ...{ exitCode: 1, printed: [], complained: expect.stringContaining('nowhere..HEAD') },
  })
  writeFileSync(join(repository, '.git', 'old-token'), 'sekisho_personal_old')
  expect(await run('HEAD~1..HEAD', '../.git/old-token')).toMatchObject({
    ...{ exitCode: 1, printed: [], complained: expect.stringContaining('トークンを受け付けません') },
  })
  expect((await run('--output=x..y')).exitCode).toBe(2)
})

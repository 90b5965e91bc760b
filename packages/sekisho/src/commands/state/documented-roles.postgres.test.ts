import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolderAt, makeDataFolder } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { createTestDatabase } from '@sekisho/server/state/testing'
import { describe, expect, inject, it } from 'vitest'
import type { CommandIo } from '../../command.ts'
import { COMMANDS } from '../../main.ts'

const superuserUrl = inject('postgresUrl')
const HANDBOOK = new URL('../../../../../site/docs/', import.meta.url)
const SECRET = 'k9Qw2xL8vB4nZ7rT1mY6cP3sD5fG0hJa'
const PASSWORD = 'only-for-tests'

describe.skipIf(superuserUrl === null)('the roles of the handbook', () => {
  it.each(['operations/run-book.md', 'sekisho-pro/english/operating.md'])(
    '%s suffice',
    async (page) => {
      const text = readFileSync(new URL(page, HANDBOOK), 'utf8')
      const statements = /```sql\n(.*?CREATE ROLE.*?)```/s
        .exec(text)?.[1]
        ?.split(';')
        .map((one) => one.trim())
      const [, gate = '', operator = ''] =
        /migrate --grant (\w+) --grant-operator (\w+) --from/.exec(text) ?? []
      const made = await createTestDatabase(superuserUrl ?? '')
      const prefix = `book_${process.pid}_${page.length}`
      const own = (name: string) => `${prefix}_${name}`
      for (const statement of statements?.filter(Boolean) ?? [])
        await made.run(
          statement
            .replace(/\b(?:sekisho_owner|sekisho|gate|operator)\b/g, own)
            .replace("'…'", `'${PASSWORD}'`),
        )
      const urlOf = (role: string) => {
        const url = new URL(made.ownerUrl)
        return Object.assign(url, { username: own(role), password: PASSWORD, pathname: own('sekisho') }).href
      }

      const folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'sekisho-roles-')))
      using cleanup = new DisposableStack()
      cleanup.defer(() => rmSync(folder.root, { recursive: true }))
      makeDataFolder(folder)
      const said: string[] = []
      const say = (line: string) => void said.push(line)
      const env = { SEKISHO_DATABASE_URL: urlOf('sekisho_owner'), SEKISHO_SECRET: SECRET }
      const io: CommandIo = { env, cwd: folder.root, clock: Date.now, print: say, complain: say }
      const migrate = await COMMANDS.get('migrate')?.load()
      expect(
        await migrate?.(['--grant', own(gate), '--grant-operator', own(operator)], io),
        said.join(),
      ).toBe(0)

      for (const role of [gate, operator]) {
        const rows = await made.run(
          `SELECT has_database_privilege('${own(role)}', '${own('sekisho')}', 'CREATE') AS may`,
        )
        expect(rows).toEqual([{ may: false }])
      }
      const stores = await openStores({
        ...{ databaseUrl: urlOf(gate), folder, secrets: { current: SECRET, previous: null }, now: Date.now },
        context: { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' },
        onProblem: () => {},
      })
      expect(await stores.publishers.listTokens()).toEqual([])
      await stores[Symbol.asyncDispose]()
    },
    120_000,
  )
})

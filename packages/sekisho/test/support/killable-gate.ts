import { join } from 'node:path'
import { openFolderTrail } from '@sekisho/server/audit'
import { readAddressBlocks, withClientAddress } from '@sekisho/server/client-address'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { createSeal, createSessions } from '@sekisho/server/sessions'
import { openSqliteSessionsInThreads } from '@sekisho/server/sqlite-threads'
import { HOUR_LIMITS } from '@sekisho/server/state/testing'
import { createTestGate, ORIGIN } from '@sekisho/server/testing'
import { createRefusalResponse } from '@sekisho/server/wire-refusals'
import { createNodeServer } from '@sekisho/wire'

/**
 * Runs a gate on the folder named by the first argument, in a process that can be killed and restarted on its remains. Sends its port and
 * tokens to sign in with.
 */
const [folder = '', run = '', wanted = '0'] = process.argv.slice(2)
const store = await openSqliteSessionsInThreads(join(folder, 'sessions.db'), { context: null })
const now = () => Date.parse('2026-11-21T00:00:00Z')
const sessions = createSessions({ store, seal: createSeal('k'.repeat(32)), limits: HOUR_LIMITS, now })
const audit = await openFolderTrail(dataFolderAt(folder), {
  now,
  onFailure: (error) => console.error(error),
})
const test = await createTestGate({ sessions, audit })
const server = createNodeServer({ refusalResponse: createRefusalResponse({ local: false }) })
const port = await server.listen(0, '127.0.0.1')
server.attach({ origin: ORIGIN, handle: withClientAddress(test.gate, readAddressBlocks([], [])) })

const people = Array.from({ length: Number(wanted) }, (_, index) => `${run}-${index}`)
const tokens = await Promise.all(
  people.map((sub) => test.issuer.sign({ sub, email: `p${sub}@example.co.jp`, jti: sub })),
)
process.send?.({ port, tokens })

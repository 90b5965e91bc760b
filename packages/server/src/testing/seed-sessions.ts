import { firebaseIssuer } from '../identity/testing/index.ts'
import type { SessionContext } from '../state/sessions/index.ts'
import { createSeal, createSessions } from '../state/sessions/index.ts'
import { openSqliteSessionsInThreads } from '../state/sessions/sqlite/sqlite-threads.ts'
import { openStores } from '../state/stores/open-stores.ts'
import { HOUR_LIMITS } from '../state/testing/test-sessions.ts'
import { dataFolderAt, makeDataFolder } from '../storage/data-folder.ts'

/** Those that share a sync. */
const AT_ONCE = 500

/**
 * Puts sessions into a stopped gate's store, for measurements without an identity service. It needs the data folder and the secret, which
 * permit that anyway. `context` is from the gate's settings, `vouchedBy` the issuer. Returns the session tokens.
 */
export async function seedSessions(
  dataDir: string,
  secret: string,
  emails: readonly string[],
  context: Pick<SessionContext, 'origin' | 'projectId'>,
  databaseUrl: string | null = null,
  vouchedBy = firebaseIssuer(context.projectId),
): Promise<string[]> {
  const issuer = firebaseIssuer(context.projectId)
  const folder = dataFolderAt(dataDir)
  makeDataFolder(folder)
  const whole = { issuer, ...context }
  const onProblem = () => {}
  const stores =
    databaseUrl === null
      ? null
      : await openStores({
          databaseUrl,
          folder,
          secrets: { current: secret, previous: null },
          context: whole,
          onProblem,
          now: Date.now,
        })
  const store = stores?.sessions ?? (await openSqliteSessionsInThreads(folder.sessions, { context: whole }))
  try {
    const sessions = createSessions({ store, seal: createSeal(secret), limits: HOUR_LIMITS, now: Date.now })
    const signIn = async (email: string, index: number): Promise<string> => {
      const identity = {
        ...{ issuer: vouchedBy, sub: email, email, name: null, sid: null },
        vouched: { address: true, groups: [], hasAllGroups: true },
      }
      const spent = { digest: `seed ${Date.now()} ${index}`, expiresAtMs: Date.now() }
      const started = await sessions.start({ identity, refreshToken: 'none', spent, device: '', address: '' })
      if (started.kind !== 'started') throw new Error(`the session of ${email} was refused: ${started.kind}`)
      return started.token
    }
    const tokens: string[] = []
    for (let first = 0; first < emails.length; first += AT_ONCE) {
      const some = emails.slice(first, first + AT_ONCE)
      tokens.push(...(await Promise.all(some.map((email, at) => signIn(email, first + at)))))
    }
    return tokens
  } finally {
    await store.close()
  }
}

import type { JSONWebKeySet } from 'jose'
import { createAccountFile } from './account-file.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import type { Account } from './emulator/account.ts'
import { createAccounts } from './emulator/accounts.ts'
import { createEmulator } from './emulator/create-emulator.ts'
import type { IdentityRequest } from './http.ts'
import { createIdentityApi, type RefreshResult } from './identity-api.ts'
import { assertLocal, type LocalIdentityOptions } from './options.ts'
import { PATHS } from './paths.ts'
import { answerRoute, createRoutes } from './routes.ts'
import { createTokens } from './tokens.ts'

export type { Account } from './emulator/account.ts'
export type { RefreshResult } from './identity-api.ts'
export { isLoopbackOrigin, LOCAL_DOMAIN, LocalIdentityError, type LocalIdentityOptions } from './options.ts'

/** An identity service for one developer's machine, with the official emulator inside. */
export interface LocalIdentity {
  readonly issuer: string
  readonly audience: string
  /** The public half of the key made at start. */
  readonly jwks: JSONWebKeySet
  /** The exact paths that must be reachable without a session. */
  readonly paths: readonly string[]
  /** Answers a request for one of `paths`; headers, the security policy included, are complete. */
  handle(request: IdentityRequest): Promise<Response>
  /** Asks whether the account behind a refresh token may still sign in. */
  exchangeRefreshToken(refreshToken: string): Promise<RefreshResult>
  listAccounts(): Promise<readonly Account[]>
  setDisabled(localId: string, disabled: boolean): Promise<void>
  removeAccount(localId: string): Promise<void>
  close(): void
}

/** Starts the service (about 1.5 s); throws {@link LocalIdentityError} where it must not run. */
export async function createLocalIdentity(options: LocalIdentityOptions): Promise<LocalIdentity> {
  assertLocal(options)
  const { projectId, origin } = options
  const emulator = await createEmulator(projectId)
  const accounts = createAccounts(emulator, projectId)
  const tokens = await createTokens(projectId, options.now ?? Date.now)
  const file = createAccountFile(options.accountsFile, options.onWarning ?? console.warn)
  const kept = await file.read()
  await accounts.add(kept.length > 0 ? kept : DEMO_ACCOUNTS)

  const save = async (): Promise<void> => file.write(await accounts.list())
  const api = createIdentityApi({ emulator, accounts, tokens, onSignIn: save })
  const routes = await createRoutes({ origin, accounts, api })
  return {
    issuer: tokens.issuer,
    audience: projectId,
    jwks: tokens.jwks,
    paths: Object.values(PATHS),
    handle: (request) => answerRoute(routes, origin, request),
    exchangeRefreshToken: api.exchangeRefreshToken,
    listAccounts: accounts.list,
    setDisabled: (localId, disabled) => accounts.setDisabled(localId, disabled).then(save),
    removeAccount: (localId) => accounts.remove(localId).then(save),
    close: () => emulator.close(),
  }
}

import { isRecord } from '@sekisho/contract/json-shape'
import type { CommandIo } from '../command.ts'

/** Asked anew for each beginning, because a CI's token counts once. */
export type Credentials = () => Promise<string>

/** There is nothing to prove to the portal who is publishing; the message says what there could be. */
export class NoCredentialsError extends Error {
  override readonly name = 'NoCredentialsError'
}

/** The publish token of the environment, else the CI's own ID token for the portal's origin. */
export function findCredentials({ env }: Pick<CommandIo, 'env'>, origin: URL): Credentials {
  const { SEKISHO_PUBLISH_TOKEN: token, SEKISHO_ID_TOKEN: gitlab } = env
  if (token !== undefined && token !== '') return async () => token.trim()
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env
  if (url !== undefined && url !== '' && bearer !== undefined) return () => askGithub(url, bearer, origin)
  if (gitlab !== undefined && gitlab !== '') return async () => gitlab.trim()
  throw new NoCredentialsError(
    'there are no credentials: set SEKISHO_PUBLISH_TOKEN (from sekisho tokens create); in GitHub Actions give the job ' +
      '`permissions: id-token: write`; in GitLab CI give it `id_tokens: SEKISHO_ID_TOKEN: aud: ' +
      `${origin.origin}\``,
  )
}

async function askGithub(requestUrl: string, bearer: string, origin: URL): Promise<string> {
  const url = new URL(requestUrl)
  url.searchParams.set('audience', origin.origin)
  const answer = await fetch(url, {
    headers: { Authorization: `Bearer ${bearer}` },
    signal: AbortSignal.timeout(15_000),
  })
  const value: unknown = await answer.json().catch(() => null)
  if (answer.ok && isRecord(value) && typeof value.value === 'string') return value.value
  throw new NoCredentialsError(`GitHub Actions gives this job no ID token (it answered ${answer.status})`)
}

import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { isRecord } from '@sekisho/contract/json-shape'
import { createMessages } from '@sekisho/contract/language'
import type { CommandIo } from '../../command.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'publishing')

/** Asked anew for each beginning, because a CI's token counts once. */
export type Credentials = () => Promise<string>

/** There is nothing to prove to the portal who is publishing; the message says what there could be. */
class NoCredentialsError extends ExplainedError {
  override readonly name = 'NoCredentialsError'
}

/** The publish token of the environment, else the CI's own ID token for the portal's origin. */
export function findCredentials({ env }: Pick<CommandIo, 'env'>, origin: URL): Credentials {
  const { SEKISHO_PUBLISH_TOKEN: token, SEKISHO_ID_TOKEN: gitlab } = env
  if (token !== undefined && token !== '') return async () => token.trim()
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env
  if (url !== undefined && url !== '' && bearer !== undefined) return () => askGithub(url, bearer, origin)
  if (gitlab !== undefined && gitlab !== '') return async () => gitlab.trim()
  throw new NoCredentialsError(messageOf('no_credentials', origin.origin))
}

const askBounded = boundFetch(fetch, { maxBytes: 64 * 1024, timeoutMs: 15_000 })

async function askGithub(requestUrl: string, bearer: string, origin: URL): Promise<string> {
  const url = new URL(requestUrl)
  url.searchParams.set('audience', origin.origin)
  const answer = await askBounded(url, { headers: { Authorization: `Bearer ${bearer}` }, redirect: 'error' })
  const value: unknown = await answer.json().catch(() => null)
  if (answer.ok && isRecord(value) && typeof value.value === 'string') return value.value
  throw new NoCredentialsError(messageOf('no_id_token', answer.status))
}

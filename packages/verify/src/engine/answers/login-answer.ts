import { ExplainedError } from '@sekisho/contract/explained-error'
import { loginDocument } from '@sekisho/contract/login-document'
import { LOGIN_CONFIG_ID, type LoginConfig, readLoginConfig } from '@sekisho/contract/login-page'
import { entryDocument } from '@sekisho/contract/preview-entry'
import type { WireClient } from '../../client/client.ts'
import { decodeBody } from '../../client/response.ts'
import { problemOf } from '../../texts/index.ts'
import type { LoginFiles } from './reference.ts'

/** The configuration in the login page, with the document around it. */
const CONFIG = new RegExp(`^(.*id="${LOGIN_CONFIG_ID}">)(.*?)(</script>.*)$`, 's')

/** Reads the configuration of a login page; null unless all of the document around it is ours to the last byte. */
export function readLoginPage(text: string, login: LoginFiles): LoginConfig | null {
  const [, before = '', json = '', after = ''] = CONFIG.exec(text) ?? []
  if (json === '') return null
  try {
    const config = readLoginConfig(json)
    const [, ownBefore, , ownAfter] = CONFIG.exec(loginDocument(config, login)) ?? []
    return before === ownBefore && after === ownAfter ? config : null
  } catch {
    return null
  }
}

/** The page that a stranger is sent at `/`: the first positive control of a run. */
export interface LoginControl {
  readonly status: number
  readonly bytes: number
  /** Title and tagline as the gate shows them; null at the door of a preview, which shows neither. */
  readonly site: LoginConfig['site'] | null
}

/** No request reached a gate of ours, or no page was read with a session: the absence of leaks proves nothing. */
export class NothingVerifiedError extends ExplainedError {
  override readonly name = 'NothingVerifiedError'
  readonly code = 'nothing_verified'
}

/**
 * Fetches the login page. Resolves to null where `/` is answered with success and something else, as an open gate does; rejects
 * with {@link NothingVerifiedError} for any other response.
 */
export async function findLoginPage(client: WireClient, login: LoginFiles): Promise<LoginControl | null> {
  const outcome = await client.exchange({ method: 'GET', target: '/', headers: [['Accept', 'text/html']] })
  if (outcome.kind !== 'response') throw new NothingVerifiedError(problemOf('no_login_page', outcome.kind))
  const { status } = outcome.response
  const body = decodeBody(outcome.response) ?? outcome.response.body
  const text = body.toString('utf8')
  const site = readLoginPage(text, login)?.site ?? null
  if (site !== null || text === entryDocument()) return { status, bytes: body.length, site }
  if (status >= 300) throw new NothingVerifiedError(problemOf('no_login_page', status))
  return null
}

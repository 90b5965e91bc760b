import type { GateRequest, GateResponse } from '@sekisho/wire'
import { isNavigation } from '../../kernel/client/fetch-metadata.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { problem } from '../../kernel/pages/problem.ts'

export interface SignInOptions {
  /** The 401 response to a page navigation; the same bytes for all paths below a locale. */
  readonly loginPage: (path: string | null) => GateResponse
  readonly cookies: SessionCookies
}

/** Makes one of two answers, whatever was requested and whether or not it exists; one of them in the language of the path's locale. */
export function createSignIn({ loginPage, cookies }: SignInOptions) {
  return (request: GateRequest, path: string | null): GateResponse => {
    if (!isNavigation(request)) return problem('signed_out')
    const response = loginPage(path)
    const { kind } = cookies.readKey(request)
    if (kind === 'malformed') cookies.clear(response.headers)
    // A token that was a session's once may ask why it is over; the page does, and a token of nobody is cleared then.
    if (kind === 'present') cookies.clearReader(response.headers)
    return response
  }
}

import { REDIRECT, type StartRequest } from '@sekisho/contract/redirect'
import { readSignInProblem, type SignInProblem, signInProblemCookie } from '@sekisho/contract/sign-in-problem'
import type { FlowContext, FlowKind } from '../sign-in/flow.ts'
import { readProblemCode } from '../sign-in/problem-code.ts'
import type { AdmissionFailure, Notice } from '../sign-in/state.ts'

/** Signing in on the provider's own page: the gate says where that is, and takes the browser back to this very address. */
export const redirect: FlowKind = {
  async createFlow(context) {
    const { start } = context.provider.settings
    if (start === undefined) throw new Error('the provider has no page to go to')
    const { dispatch } = context.store
    const problem = takeProblem()
    return {
      start: () => show(problem, dispatch),
      signIn: ({ chooseAccount }) => leave(start, chooseAccount ? 'choose' : 'any', context),
      // Whoever has just come back was asked already.
      ...(problem === null && { signInSilently: () => leave(start, 'silent', context) }),
    }
  },
  button: REDIRECT.button,
}

/** Read once for all providers of the page: who comes back, comes back from one of them. */
let taken: SignInProblem | null | undefined
function takeProblem(): SignInProblem | null {
  if (taken === undefined) {
    const isHttps = location.protocol === 'https:'
    taken = readSignInProblem(document.cookie, isHttps)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API came to Firefox in 2025 alone
    document.cookie = `${signInProblemCookie(isHttps)}=; Path=/; Max-Age=0; SameSite=Lax${isHttps ? '; Secure' : ''}`
  }
  return taken
}

function show(problem: SignInProblem | null, dispatch: FlowContext['store']['dispatch']): void {
  if (problem?.code === 'refused' && problem.email !== null) {
    dispatch({ type: 'user', email: problem.email })
    dispatch({ type: 'refused' })
  }
  dispatch({ type: 'resolved-without-user', notice: problem === null ? null : noticeOf(problem.code) })
}

function noticeOf(code: SignInProblem['code']): Notice | null {
  switch (code) {
    case 'silent':
      return null
    case 'cancelled':
    case 'expired':
    case 'tenant':
    case 'no-email':
    case 'unverified-email':
      return { kind: code }
    case 'refused':
      return admission('rejected')
    default:
      return admission(code)
  }
}

const admission = (reason: AdmissionFailure): Notice => ({
  kind: 'admission',
  reason,
  retryAfterSeconds: null,
})

/** Names the side whose outage keeps the provider's page away. */
async function readFailure(response: Response): Promise<AdmissionFailure> {
  if (response.status < 500) return 'unexpected'
  return (await readProblemCode(response)) === 'identity_unavailable' ? 'identity-unavailable' : 'unavailable'
}

/** Asks the gate for the provider's page and goes there. */
async function leave(start: string, prompt: StartRequest['prompt'], context: FlowContext): Promise<void> {
  const { dispatch } = context.store
  dispatch({ type: 'started', via: 'redirect', label: context.provider.label })
  const asked: StartRequest = { returnTo: location.pathname + location.search + location.hash, prompt }
  try {
    const response = await fetch(start, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    })
    const body: unknown = response.ok ? await response.json() : null
    const page =
      typeof body === 'object' && body !== null && 'location' in body ? String(body.location) : null
    if (page !== null) return location.assign(page)
    dispatch({
      type: 'stopped',
      notice: admission(await readFailure(response)),
    })
  } catch (error) {
    context.log('The provider’s page could not be asked for', error)
    dispatch({ type: 'stopped', notice: admission('unreachable') })
  }
}

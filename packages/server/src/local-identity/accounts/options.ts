/** The mail domain of the demo accounts that a local gate should let in. */
export const LOCAL_DOMAIN = 'sekisho.example'

/** Place of the accounts, the client, and the report of problems that must not stop the server. */
export interface LocalIdentityOptions {
  /** A Firebase project id starting with `demo-`: the SDK and Google treat such projects as never real. */
  readonly projectId: string
  /** The gate's own origin, for example `http://localhost:3000`. */
  readonly origin: string
  /** File in which accounts outlive a restart; without it they live in memory only. */
  readonly accountsFile?: string
  /** Receives one sentence when accounts could not be read or written. */
  readonly onWarning?: (message: string) => void
  readonly env?: Record<string, string | undefined>
  readonly now?: () => number
}

/** The local identity service was asked to run where a real one belongs. */
export class LocalIdentityError extends Error {
  readonly code = 'LOCAL_IDENTITY_REFUSED'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The local identity service refuses to start: ${problems.join('; ')}`)
    this.name = 'LocalIdentityError'
    this.problems = problems
  }
}

const KNOWN_OPTIONS = new Set(['projectId', 'origin', 'accountsFile', 'onWarning', 'env', 'now'])
const DEMO_PROJECT = /^demo-[a-z0-9-]{1,40}$/
const LOOPBACK_HOST = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Throws {@link LocalIdentityError} with every reason why this service must not run here. */
export function assertLocal(options: LocalIdentityOptions): void {
  const problems = Object.keys(options)
    .filter((key) => !KNOWN_OPTIONS.has(key))
    .map((key) => `unknown option "${key}"`)
  if (!DEMO_PROJECT.test(options.projectId)) problems.push('projectId must start with "demo-"')
  if (!isLoopbackOrigin(options.origin)) problems.push('origin must be an http origin on loopback')
  if ((options.env ?? process.env).NODE_ENV === 'production') problems.push('NODE_ENV is "production"')
  if (problems.length > 0) throw new LocalIdentityError(problems)
}

/** Tells if the text is a bare `http` origin that no other machine can reach. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  return url !== null && url.protocol === 'http:' && url.origin === origin && LOOPBACK_HOST.test(url.hostname)
}

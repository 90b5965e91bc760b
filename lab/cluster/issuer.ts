import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createTestIssuer } from '@sekisho/server/identity/testing'

/** The identity service as a gate sees it: keys, and what a refresh token is still worth. */
export interface Issuer extends AsyncDisposable {
  readonly url: string
  /** Body of a browser's sign-in; each call returns a new token. */
  signIn(email: string): Promise<{ readonly idToken: string; readonly refreshToken: string }>
  disable(email: string): void
}

/** Starts it on a free loopback port. The refresh token of an account is its address. */
export async function startIssuer(): Promise<Issuer> {
  const issuer = await createTestIssuer(Date.now)
  const disabled = new Set<string>()
  let made = 0
  const sign = (email: string) => {
    made += 1
    return issuer.sign({ sub: email, email, name: email, jti: `token ${made}` })
  }
  const server = createServer(async (request, response) => {
    const isAboutKeys = request.method === 'GET'
    const email = new URLSearchParams(await text(request)).get('refresh_token') ?? ''
    const isGone = !isAboutKeys && disabled.has(email)
    const token = () => sign(email).then((idToken) => ({ id_token: idToken, refresh_token: email }))
    const answer = isAboutKeys
      ? issuer.jwks
      : isGone
        ? { error: { message: 'USER_DISABLED' } }
        : await token()
    response.writeHead(isGone ? 400 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the issuer got no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    signIn: async (email) => ({ idToken: await sign(email), refreshToken: email }),
    disable: (email) => void disabled.add(email),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

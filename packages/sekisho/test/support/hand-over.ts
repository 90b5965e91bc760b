import { request } from 'node:http'
import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { HOST } from './serving-gate.ts'

interface HostAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The host of a preview. */
export const previewHost = (name: string) => `${name}--${HOST}`

/** Asks a gate on this machine as one of its hosts; with a body it is a POST. */
export async function askHost(
  port: number,
  host: string,
  path = '/',
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<HostAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HostAnswer>()
  const method = body === undefined ? 'GET' : 'POST'
  const options = { port, host: '127.0.0.1', path, method, headers: { Host: host, ...headers } }
  const sent = request(options, async (answer) => {
    const text = Buffer.concat(await answer.toArray()).toString()
    resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers })
  })
  sent.on('error', reject).end(body)
  return promise
}

/** Hands a reader of the portal over, as a browser does, and resolves to the cookie of the preview. */
export async function handOver(port: number, name: string, cookie: string): Promise<string> {
  const own = { Origin: `https://${previewHost(name)}` }
  const begun = await askHost(port, previewHost(name), PREVIEW_ROUTES.begin.path, own, '')
  const { searchParams } = new URL(JSON.parse(begun.text).location)
  const ofReader = {
    ...{ Origin: `https://${HOST}`, Cookie: cookie },
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const page = await askHost(port, HOST, ROUTES.handOver.path, ofReader, searchParams.toString())
  const ticket = /name="ticket" value="([\w-]+)"/.exec(page.text)?.[1]
  const ofVisitor = { ...own, Cookie: cookieOf(begun), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ ticket })
  const entered = await askHost(port, previewHost(name), PREVIEW_ROUTES.enter.path, ofVisitor, body)
  if (entered.status !== 204) throw new Error(`the hand-over was answered with ${entered.status}`)
  return cookieOf(entered)
}

const cookieOf = ({ headers }: HostAnswer): string => String(headers['set-cookie']).split(';')[0] ?? ''

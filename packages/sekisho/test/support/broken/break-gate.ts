import type { Gate } from '@sekisho/server'
import { secureHeaders } from '@sekisho/server/secure-headers'
import { CLIENT, ORIGIN } from '@sekisho/server/testing'
import type { Rule } from '@sekisho/verify'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { FixtureGate } from '../fixture-gate.ts'

/** One way to break the gate, as a wrapper around the real handler, and a rule that must notice it. */
export interface BrokenGate {
  readonly name: string
  readonly found: Rule
  /** Response of the broken gate; null leaves it to the real one. */
  readonly breakIt: (
    request: GateRequest,
    inside: Inside,
  ) => Promise<GateResponse | null> | GateResponse | null
}

/** Ways to break the gate, by their names, that one rule must notice. */
export const foundBy = (
  found: Rule,
  ways: Readonly<Record<string, BrokenGate['breakIt']>>,
): readonly BrokenGate[] => Object.entries(ways).map(([name, breakIt]) => ({ name, found, breakIt }))

/** The real gate, as a stranger and as a signed-in reader. */
export interface Inside {
  readonly real: Gate
  /** Answers every request as a reader's. */
  readonly asReader: (request: GateRequest, path?: string) => Promise<GateResponse>
  readonly isFile: (path: string) => boolean
  /** Path of the file with that SHA-256; null when there is none. */
  readonly pathOfDigest: (sha256: string) => string | null
}

export const pathOf = (request: GateRequest) => new URL(request.url).pathname
export const queryOf = (request: GateRequest) => new URL(request.url).searchParams
export const headerHas = (request: GateRequest, name: string) => request.headers.has(name)
export const refusal = (inside: Inside, request: GateRequest) => inside.real(request, CLIENT)

/** The same answer with some headers or parts replaced. */
export async function altered(
  response: GateResponse,
  change: { status?: number; headers?: Record<string, string>; body?: string },
) {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(change.headers ?? {})) headers.set(name, value)
  const body =
    change.body === undefined ? Buffer.from(await response.arrayBuffer()) : Buffer.from(change.body)
  headers.set('Content-Length', String(body.byteLength))
  return new Response(body, { status: change.status ?? response.status, headers })
}

/** The same answer without a header. */
export async function without(response: GateResponse, name: string) {
  const headers = new Headers(response.headers)
  headers.delete(name)
  const body = response.status === 204 ? null : Buffer.from(await response.arrayBuffer())
  return new Response(body, { status: response.status, headers })
}

/** An answer a broken gate makes up, with the real one's security headers. */
export function invented(body: string, type: string): GateResponse {
  const headers = new Headers({ 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) })
  secureHeaders({ https: true })(headers)
  return new Response(body, { headers })
}

/** Puts one way of breaking before the real gate. */
export function breakGate({ breakIt }: BrokenGate, { test, edition }: FixtureGate, cookie: string): Gate {
  const pathByDigest = new Map([...edition.files].map(([path, { sha256 }]) => [sha256, path]))
  const inside: Inside = {
    real: test.gate,
    isFile: (path) => edition.files.has(decodeOrNull(path) ?? path),
    pathOfDigest: (sha256) => pathByDigest.get(sha256) ?? null,
    async asReader(request, path) {
      const headers = new Headers(request.headers)
      headers.set('Cookie', cookie)
      headers.delete('Sec-Fetch-Site')
      const url = new URL(ORIGIN.origin + (path ?? pathOf(request))) // joined, so that `//x` stays a path
      return test.gate(
        new Request(url, { method: request.method === 'HEAD' ? 'HEAD' : 'GET', headers }),
        CLIENT,
      )
    },
  }
  return async (request, peer) => (await breakIt(request, inside)) ?? test.gate(request, peer)
}

export function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

export function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

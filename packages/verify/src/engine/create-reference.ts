import { createHash } from 'node:crypto'
import { PROBLEMS, type ProblemCode } from '@sekisho/contract/problems'
import { FIREBASE_HELPER_PATHS, LOGIN_PREFIX, ROUTES } from '@sekisho/contract/routes'
import type { LoginBundle } from '@sekisho/gate'
import { answerLoginAsset, createLoginPage, jsonResponse, problem, secureHeaders } from '@sekisho/gate'
import type { GateResponse } from '@sekisho/wire'
import { collectPublicText } from '../leaks/public-text.ts'
import { viewsOf } from '../leaks/views.ts'
import type { Reference } from './reference.ts'

export interface ReferenceOptions {
  readonly loginBundle: LoginBundle
  /** Product name and tagline, which the login page shows to everybody. */
  readonly site: { readonly title: string; readonly tagline: string }
  /** Further phrases the operator declares public. */
  readonly phrases: readonly string[]
  /** What the built-in identity service shows to anybody, where it is installed. */
  readonly localIdentity?: { readonly paths: readonly string[]; readonly texts: readonly string[] }
}

const OPEN_PATHS = Object.values(ROUTES)
  .filter(({ access }) => access === 'open')
  .map(({ path }) => path)
const EXAMPLE_FIREBASE = { apiKey: 'x', authDomain: 'x', projectId: 'x' }

/** Collects everything this product can say to a stranger, from its own code and with no release in reach. */
export async function createReference(options: ReferenceOptions): Promise<Reference> {
  const answers = await Promise.all(productAnswers(options).map(readAnswer))
  const assets = [...options.loginBundle.assets.keys()].map((path) => LOGIN_PREFIX + path)
  const phrases = [options.site.title, options.site.tagline, ...options.phrases]
  const { paths = [], texts: identityTexts = [] } = options.localIdentity ?? {}
  const texts = [
    ...answers.flatMap(({ head, body }) => [head, body]),
    ...identityTexts.map((text) => Buffer.from(text)),
  ]
  return {
    publicText: collectPublicText(texts.flatMap(viewsOf), phrases),
    pinned: new Set(answers.map(({ body }) => createHash('sha256').update(body).digest('hex'))),
    openPaths: [...assets, ...OPEN_PATHS],
    identityPaths: new Set([...FIREBASE_HELPER_PATHS, ...paths]),
    isPublicName: (name) =>
      [...texts, ...phrases.map((text) => Buffer.from(text))].some((text) => text.includes(name)),
  }
}

function productAnswers({ loginBundle, site: { title, tagline } }: ReferenceOptions): GateResponse[] {
  const site = { title, tagline } // what more an object may hold would be spelled into the page
  const origin = new URL('https://portal.invalid')
  const loginPages = [null, EXAMPLE_FIREBASE].flatMap((firebase) =>
    [true, false].map((local) => createLoginPage({ site, origin, firebase, local, bundle: loginBundle })()),
  )
  const codes = Object.keys(PROBLEMS) as ProblemCode[] // proven by its type
  return [
    ...loginPages,
    ...[...loginBundle.assets.values()].map((asset) => answerLoginAsset(asset, new Request(origin))),
    ...codes.map((code) => problem(code)),
    jsonResponse({ status: 'ok' }),
  ]
}

async function readAnswer(response: GateResponse): Promise<{ head: Buffer; body: Buffer }> {
  secureHeaders({ https: true })(response.headers)
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return { head: Buffer.from(lines.join('\n')), body: Buffer.from(await response.arrayBuffer()) }
}

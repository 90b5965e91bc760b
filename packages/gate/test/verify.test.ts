import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN } from '../src/testing/index.ts'
import { createReference } from '../src/verify/engine/create-reference.ts'
import type { VerifyReport } from '../src/verify/engine/verify-gate.ts'
import { verifyGate } from '../src/verify/engine/verify-gate.ts'
import { openRelease } from '../src/verify/open-release.ts'
import { breakGate } from './support/break-gate.ts'
import { BROKEN_GATES } from './support/broken-gates.ts'
import { type FixtureGate, LOGIN_BUNDLE, listenFixtureGate, SITE } from './support/fixture-gate.ts'

let gate: FixtureGate
let readerCookie: string
beforeAll(async () => {
  gate = await listenFixtureGate()
  readerCookie = await gate.signIn()
})
afterAll(() => gate[Symbol.asyncDispose]())

/** A few files of every kind: each of these tests asks for all of them in every way. */
const ASKED = new Set([
  '/',
  '/docs/secret',
  '/docs/がぎぐげご',
  '/assets/js/keys-rotation.4e5f6a7b.js',
  '/blog/rss.xml',
])

async function verify(): Promise<VerifyReport> {
  const whole = await openRelease(gate.releasesDir, null)
  if (whole === null) throw new Error('the fixture has no release')
  const files = new Map([...whole.files].filter(([path]) => ASKED.has(path)))
  const release = { ...whole, files, redirects: new Map([['/docs/secret/', '/docs/secret']]) }
  const reference = await createReference({ loginBundle: LOGIN_BUNDLE, site: SITE, phrases: [] })
  return verifyGate({ client: gate.client, host: ORIGIN.host, release, reference, effort: 'quick' })
}

describe('verify', () => {
  it('finds nothing at a gate that holds', async () => {
    gate.replace(gate.test.gate)
    const report = await verify()
    expect(report.findings).toEqual([])
    expect(report.surface.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      '/__gate/health pinned',
      '/__gate/health?x=1 pinned',
      '/__gate/login/assets/login-1a2b3c4d.js pinned',
      '/__gate/login/assets/login-5e6f7a8b.css pinned',
      '/__gate/sessions refusal',
    ])
  })

  it.each(BROKEN_GATES)('finds $name', async (broken) => {
    gate.replace(breakGate(broken, gate, readerCookie))
    const { findings } = await verify()
    expect(findings.map(({ rule }) => rule)).toContain(broken.found)
  })
})

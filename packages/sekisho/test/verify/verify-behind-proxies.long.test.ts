import { ORIGIN } from '@sekisho/server/testing'
import { createReference, createWireClient, openRelease, verifyGate } from '@sekisho/verify'
import { afterAll, describe, expect, it } from 'vitest'
import { BROKEN_PROXIES, HONEST_PROXY, startProxy } from '../support/broken/broken-proxies.ts'
import { LOGIN_BUNDLE, listenFixtureGate, SITE } from '../support/fixture-gate.ts'

const gate = await listenFixtureGate()
const cookie = await gate.signIn()
afterAll(() => gate[Symbol.asyncDispose]())

const ASKED = new Set(['/docs/secret', '/en/docs/secret', '/assets/js/keys-rotation.4e5f6a7b.js'])

async function verify(port: number, behindProxy = true) {
  const whole = await openRelease(gate.releasesDir, null)
  if (whole === null) throw new Error('the fixture has no release')
  const files = new Map([...whole.files].filter(([path]) => ASKED.has(path)))
  const url = new URL(`http://127.0.0.1:${port}`)
  return verifyGate({
    // Node refuses what it cannot read before it has answered what came first, so nothing is sent ahead.
    client: createWireClient(url, { host: ORIGIN.host, depth: 1, quietMs: 60, timeoutMs: 1_000 }),
    host: ORIGIN.host,
    release: { ...whole, files, redirects: new Map() },
    reference: createReference({
      ...{ login: LOGIN_BUNDLE, site: SITE, phrases: [], host: ORIGIN.host },
    }),
    reader: { cookie },
    behindProxy,
    loginLanguage: 'ja',
    effort: 'quick',
  })
}

describe('verify of a gate behind a proxy', () => {
  it('finds nothing at a proxy that refuses by itself, and reports how much never reached the gate', async () => {
    await using proxy = await startProxy(gate.port, HONEST_PROXY, cookie)
    const report = await verify(proxy.port)
    expect(report.findings).toEqual([])
    expect(report.proxy.rows).toBeGreaterThan(20)
    expect(report.signedIn?.files).toBe(ASKED.size)
  })

  it('accepts no such refusal from a gate with no proxy in front of it', async () => {
    await using proxy = await startProxy(gate.port, HONEST_PROXY, cookie)
    const report = await verify(proxy.port, false)
    expect(report.findings.map(({ rule }) => rule)).toContain('cacheable')
    expect(report.proxy).toEqual({ rows: 0, requests: 0 })
  })

  it.each(BROKEN_PROXIES)('finds one that $name', async ({ create, found }) => {
    await using proxy = await startProxy(gate.port, create(), cookie)
    const { findings } = await verify(proxy.port)
    expect(findings.map(({ rule }) => rule)).toContain(found)
  })
})

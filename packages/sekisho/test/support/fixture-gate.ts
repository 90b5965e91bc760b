import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST_INDEPENDENT_TARGETS } from '@sekisho/contract/routes'
import { type Edition, releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { loadOnlyEdition } from '@sekisho/release/testing'
import type { Gate, LoginBundle, PortalParts } from '@sekisho/server'
import { createLoginPage, openReleases } from '@sekisho/server'
import { readAddressBlocks, withClientAddress } from '@sekisho/server/client-address'
import { createTestGate, ORIGIN, type TestGate } from '@sekisho/server/testing'
import { createRefusalResponse } from '@sekisho/server/wire-refusals'
import { createWireClient, type WireClient } from '@sekisho/verify'
import { createNodeServer, type NodeServerOptions } from '@sekisho/wire'
import { writeFixtureSite } from './fixture-site.ts'

/** The gate of the unit tests over this folder's fixture release, on a loopback port behind the real adapter. */
export interface FixtureGate extends AsyncDisposable {
  readonly test: TestGate
  readonly releasesDir: string
  readonly edition: Edition
  readonly port: number
  /** Speaks raw HTTP to the port, under the gate's own host name. */
  readonly client: WireClient
  /** Puts another handler behind the adapter, to stand for a broken gate. */
  readonly replace: (handle: Gate) => void
  /** A new session's Cookie header. */
  readonly signIn: (claims?: Record<string, unknown>) => Promise<string>
}

export const SITE = { title: 'Sekisho', tagline: '技術ドキュメントポータル' }

const asset = (type: string, text: string) => {
  const bytes = new Uint8Array(Buffer.from(text))
  return { type, plain: bytes, brotli: bytes }
}
/** Stands for the built login page, which a unit test does not build. */
export const LOGIN_BUNDLE: LoginBundle = {
  script: 'assets/login-1a2b3c4d.js',
  flows: {},
  styles: ['assets/login-5e6f7a8b.css'],
  icon: 'assets/mark.svg',
  shell: '<p>%title%</p><p>%tagline%</p>',
  assets: new Map([
    [
      'assets/login-1a2b3c4d.js',
      asset('text/javascript; charset=utf-8', 'document.title="Login with Google"'),
    ],
    ['assets/login-5e6f7a8b.css', asset('text/css; charset=utf-8', 'body{font-family:sans-serif}')],
  ]),
}

/** Packs the fixture, makes the gate over it and listens on a free port. */
export async function listenFixtureGate(
  changes: Partial<PortalParts> = {},
  limits: Partial<NodeServerOptions> = {},
): Promise<FixtureGate> {
  await using cleanup = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'sekisho-fixture-'))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  await writeFixtureSite(join(root, 'build'))
  const dataDir = join(root, 'data')
  const packed = await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
  const releasesDir = releasesDirOf(dataDir)

  const releases = await openReleases({ releasesDir })
  const loginPage = createLoginPage({
    lang: 'ja',
    localeOf: releases.localeOf,
    site: SITE,
    origin: ORIGIN,
    providers: [],
    bundle: LOGIN_BUNDLE,
  })
  const test = cleanup.use(
    await createTestGate({ releases, loginPage, loginBundle: LOGIN_BUNDLE, ...changes }),
  )
  const server = createNodeServer({
    refusalResponse: createRefusalResponse({ local: false }),
    ...limits,
  })
  const port = await server.listen(0, '127.0.0.1')
  cleanup.defer(() => server.close(100))
  const attach = (handle: Gate) =>
    server.attach({
      origin: ORIGIN,
      hostIndependentTargets: HOST_INDEPENDENT_TARGETS,
      handle: withClientAddress(handle, readAddressBlocks([], [])),
    })
  attach(test.gate)

  const resources = cleanup.move()
  let signIns = 0
  return {
    test,
    releasesDir,
    edition: await loadOnlyEdition(releasesDir, packed.id),
    port,
    client: createWireClient(new URL(`http://127.0.0.1:${port}`), { host: ORIGIN.host, quietMs: 60 }),
    replace: attach,
    signIn(claims = {}) {
      signIns += 1
      return test.signIn({ jti: `sign-in ${signIns}`, ...claims })
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

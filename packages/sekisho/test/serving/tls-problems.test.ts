import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { findTlsProblem } from '@sekisho/contract/connection-failure'
import { Message } from '@sekisho/contract/language'
import { createS3Client, ReleaseError } from '@sekisho/release'
import { embed } from '@sekisho/search/embeddings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDatabase } from '../../src/commands/check/checks/database.ts'
import { checkIssuers } from '../../src/commands/check/checks/issuers.ts'
import { connectPortal } from '../../src/commands/publish/portal-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'sekisho-tls-'))
const usual = getCACertificates('default')
const open: Server[] = []
afterAll(() => {
  setDefaultCACertificates(usual)
  for (const server of open) server.close()
  rmSync(folder, { recursive: true })
})

const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Certificates of one host, made by openssl: by their own key, or by an authority of the test. */
function makeSelfSigned(name: string, subject = 'localhost'): void {
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`]
  openssl('req', '-x509', '-days', '2', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.pem`, ...names)
}
function makeSigned(name: string, authority: string, subject: string, days: string): void {
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`]
  openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...names)
  const signer = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', days]
  openssl('x509', '-req', '-in', `${name}.csr`, ...signer, '-copy_extensions', 'copy', '-out', `${name}.pem`)
}

async function listen(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return (server.address() as AddressInfo).port
}

/** A PostgreSQL that says yes to TLS (SSLRequest), or no, and gets no further. */
function createPostgres(tls: { readonly key: string; readonly cert: string } | null): Server {
  return createTcpServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(tls === null ? 'N' : 'S')
      if (tls !== null) new TLSSocket(socket, { isServer: true, ...tls }).on('error', () => {})
    })
  })
}

const ROWS = [
  ['signed by itself', 'self', 'self_signed'],
  ['of an unknown authority', 'foreign', 'unknown_authority'],
  ['of an unknown authority, which it sends along', 'foreign-chain', 'unknown_authority'],
  ['expired', 'expired', 'expired'],
  ['for another name', 'other', 'other_name'],
  ['missing: no TLS at all', null, 'no_tls'],
] as const

beforeAll(() => {
  makeSelfSigned('self')
  makeSelfSigned('trusted', 'Trusted Authority')
  makeSelfSigned('unknown', 'Unknown Authority')
  makeSigned('foreign', 'unknown', 'localhost', '2')
  makeSigned('expired', 'trusted', 'localhost', '-1')
  makeSigned('other', 'trusted', 'docs.example.co.jp', '2')
  setDefaultCACertificates([...usual, read('trusted.pem')])
})

const tlsOf = (name: string) => {
  const [leaf = '', isChain] = name.split('-')
  return { key: read(`${leaf}.key`), cert: read(`${leaf}.pem`) + (isChain ? read('unknown.pem') : '') }
}

describe.each(ROWS)('a certificate %s', (_row, name, code) => {
  let origin: string
  beforeAll(async () => {
    const server = name === null ? createHttpServer() : createHttpsServer(tlsOf(name))
    origin = `https://localhost:${await listen(server)}`
  })

  it('is told to the operator who checks an identity provider', async () => {
    const look = await checkIssuers([origin], { fetch, clock: Date.now, env: {} })
    expect(look.findings).toMatchObject([{ code: 'issuer_tls', values: [origin, { code }] }])
    for (const language of ['ja', 'en'] as const)
      expect(look.findings[0]?.in(language)).not.toMatch(/Allow https connections|接続を許可/)
  })

  it('is told by a bucket, a portal and an endpoint for vectors, at the first try', async () => {
    const client = createS3Client({
      ...{ endpoint: new URL(origin), region: 'auto', bucket: 'releases', prefix: '' },
      credentials: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    })
    const portal = {
      origin: new URL(origin),
      credentials: async () => 'token',
      target: 'production' as const,
    }
    const attempts = [
      () => client.get('pointer'),
      () => connectPortal(portal),
      () => embed({ url: `${origin}/v1` }, { model: 'm', input: ['a'], signal: AbortSignal.timeout(30_000) }),
    ]
    for (const attempt of attempts) {
      const error: unknown = await attempt().then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(String(error)).toMatch(/TLS/)
      expect(String(error)).not.toMatch(/fetch failed|firewall/)
      if (error instanceof ReleaseError) expect(error.code).toBe('store_unavailable')
    }
  })

  it('is told of a database, without a word of firewalls', async () => {
    const port = await listen(createPostgres(name === null ? null : tlsOf(name)))
    const url = `postgres://gate@localhost:${port}/sekisho?sslmode=verify-full`
    const { findings } = await checkDatabase(url, Date.now)
    const problem = name === null ? 'database_without_tls' : code
    expect(findings).toMatchObject([{ code: 'database_tls', values: [{ code: problem }] }])
  })
})

it('is no TLS problem when nothing listens', () => {
  const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' })
  expect(findTlsProblem(new TypeError('fetch failed', { cause: refused }))).toBeNull()
  expect(findTlsProblem(new Error('a', { cause: new Error('b', { cause: refused }) }))).toBeNull()
  expect(findTlsProblem(Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }))).toBeInstanceOf(Message)
})

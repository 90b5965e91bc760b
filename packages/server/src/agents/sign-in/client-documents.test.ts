import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../kernel/client/public-address.ts'
import {
  createFetchDocument,
  type FetchOptions,
  readClientDocument,
  readDocumentUrl,
} from './client-documents.ts'

const ID = 'https://client.example/oauth/client.json'
const DOCUMENT = { client_id: ID, client_name: 'Some Agent', redirect_uris: ['http://localhost/cb'] }

describe('77 an id that is the address of a document', () => {
  it.each([ID, 'https://client.example/a?b=c'])('%s', (id) => expect(readDocumentUrl(id)?.href).toBe(id))
  it.each([
    ...[
      'http://client.example/a',
      'https://client.example/',
      'https://client.example',
      'https://client.example/a#b',
    ],
    ...[
      'https://client.example:8443/a',
      'https://client.example:443/a',
      'https://CLIENT.example/a',
      'https://client.example/a/../b',
    ],
    ...[
      'https://user@client.example/a',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://2130706433/a',
      'https://0x7f.1/a',
    ],
    ...[
      'https:client.example/a',
      'file:///etc/passwd',
      'https://client.example/a#',
      ' https://client.example/a',
      'https://client.example/\t',
    ],
    `https://client.example/${'a'.repeat(600)}`,
  ])('%j is none', (id) => expect(readDocumentUrl(id)).toBeNull())
})

describe('77 a public address', () => {
  it.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '100.128.0.1'])('%s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...[
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '203.0.113.9',
    ],
    ...[
      '::1',
      '::',
      '::ffff:10.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
    ],
    ...[
      'fe80::1%eth0',
      'ff02::1',
      '2002:a00:1::',
      '2001:db8::1',
      '2001::1',
      'fec0::1',
      '',
      'localhost',
      '1.2.3',
    ],
  ])('%j is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a document', () => {
  const text = (changes: object) => JSON.stringify({ ...DOCUMENT, ...changes })
  it('is of its own address, with at least one address for answers', () => {
    expect(readClientDocument(ID, text({}))).toEqual({
      name: 'Some Agent',
      redirects: ['http://localhost/cb'],
    })
    for (const bad of [
      { client_id: `${ID}/` },
      { client_id: undefined },
      { redirect_uris: [] },
      { redirect_uris: 'x' },
    ])
      expect(readClientDocument(ID, text(bad))).toBeNull()
    for (const bad of ['', 'null', '[]', '"x"', '{']) expect(readClientDocument(ID, bad)).toBeNull()
  })
})

/** A server on this machine in place of the one that a name leads to. */
async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on one
  const asked: { host: string | undefined; addresses: unknown[] } = { host: undefined, addresses: [] }
  const request = ((url: URL, options: Parameters<typeof httpsRequest>[1], ...rest: never[]) => {
    asked.host = url.hostname
    options.lookup?.(url.hostname, { all: false }, (_error, address) => void asked.addresses.push(address))
    const { lookup, ...others } = options
    return httpRequest({ ...others, host: '127.0.0.1', port, path: url.pathname }, ...rest)
  }) as unknown as typeof httpsRequest // the one form that is called
  return { asked, request, [Symbol.dispose]: () => void server.close() }
}

const PUBLIC = ['93.184.215.14', '2606:2800:21f::1']
const json = (value: object, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(value))
}

describe('77 fetching a document', () => {
  const fetchWith = (options: FetchOptions) => createFetchDocument(options)(new URL(ID))

  it('connects to the address that was looked at, whatever the name leads to afterwards', async () => {
    using server = await serve(json(DOCUMENT, { 'Cache-Control': 'public, max-age=9999999' }))
    let lookups = 0
    const resolve = async () => (++lookups === 1 ? PUBLIC : ['127.0.0.1'])
    const found = await fetchWith({ resolve, request: server.request })
    expect(found).toEqual({ text: JSON.stringify(DOCUMENT), maxAgeMs: 86_400_000 })
    expect([lookups, server.asked]).toEqual([1, { host: 'client.example', addresses: [PUBLIC[0]] }])
  })

  it.each([[['127.0.0.1']], [['10.0.0.1', ...PUBLIC]], [[...PUBLIC, '::1']], [['169.254.169.254']], [[]]])(
    'asks nothing of a host that leads to %j',
    async (addresses) => {
      using server = await serve(json(DOCUMENT))
      expect(await fetchWith({ resolve: async () => addresses, request: server.request })).toBeNull()
      expect(server.asked.host).toBeUndefined()
    },
  )

  it.each<[string, RequestListener]>([
    ['a redirect', (_q, r) => void r.writeHead(302, { Location: 'http://127.0.0.1/' }).end()],
    ['an error', (_q, r) => void r.writeHead(404, { 'Content-Type': 'application/json' }).end('{}')],
    ['a page', (_q, r) => void r.writeHead(200, { 'Content-Type': 'text/html' }).end('{}')],
    ['more than 5 KB', json({ ...DOCUMENT, padding: 'x'.repeat(5_200) })],
    [
      'a cut answer',
      (_q, r) =>
        void r.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '90' }).end('{'),
    ],
    ['nothing, for too long', () => {}],
    [
      'drops, for too long',
      (_q, r) => {
        r.writeHead(200, { 'Content-Type': 'application/json' })
        const drip = setInterval(() => r.write(' '), 20)
        r.on('close', () => clearInterval(drip))
      },
    ],
  ])('takes no %s', async (_what, listener) => {
    using server = await serve(listener)
    expect(
      await fetchWith({ resolve: async () => PUBLIC, request: server.request, timeoutMs: 200 }),
    ).toBeNull()
  })

  it('gives up a name that does not resolve', async () => {
    expect(await fetchWith({ resolve: () => new Promise(() => {}), timeoutMs: 50 })).toBeNull()
    expect(await fetchWith({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })).toBeNull()
  })
})

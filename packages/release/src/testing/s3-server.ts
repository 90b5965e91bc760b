import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Misbehaviour of the server for one request. */
export type S3Fault =
  | 'cut'
  | 'cut-body'
  | 'stall-body'
  | 'truncate'
  | 'corrupt'
  | 'error'
  | 'stall'
  | 'conflict'
  | 'lose-answer'

export interface S3ServerOptions {
  /** Honoured conditions of a write; both by default. */
  readonly honours?: readonly ('if-match' | 'if-none-match')[]
  /** Reads need no signature, as in a public bucket. */
  readonly isOpen?: boolean
  /** Keys on a page of a list. */
  readonly pageSize?: number
}

/**
 * A small S3 server for tests, strict where the popular imitations are not: it verifies every signature (SigV4, with the hash
 * of the body), refuses anonymous and expired requests, and honours both conditions. One bucket, in memory.
 */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly objects: Map<string, Buffer>
  /** `GET key`, one for each request that was let in. */
  readonly requests: string[]
  /** Asked for each request that was let in; a fault it names is done. */
  fault: (method: string, key: string) => S3Fault | null
  /** Cuts every connection. */
  isDown: boolean
}

const REGION = 'ap-northeast-1'
const BUCKET = 'releases'
const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-the-test' }
const CLOCK_SKEW_MS = 15 * 60_000

interface Refusal {
  readonly status: number
  readonly code: string
}

/** Starts it on a free loopback port. */
export async function startS3Server({
  honours = ['if-match', 'if-none-match'],
  isOpen = false,
  pageSize = 1_000,
}: S3ServerOptions = {}): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const writtenAtMs = new Map<string, number>()
  const requests: string[] = []

  const server = createServer(async (request, response) => {
    if (state.isDown) return void request.socket.destroy()
    const body = Buffer.concat(await request.toArray())
    const url = new URL(request.url ?? '/', 'http://s3.invalid')
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    const refusal =
      (isOpen && request.method === 'GET' && request.headers.authorization === undefined
        ? null
        : findSignatureProblem(request, url, body)) ??
      (bucket === BUCKET ? null : { status: 404, code: 'NoSuchBucket' })
    if (refusal !== null) return refuse(response, refusal)
    requests.push(`${request.method} ${key}`)
    const fault = state.fault(request.method ?? '', key)
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'stall') return // until the client has had enough
    if (fault === 'error') return refuse(response, { status: 500, code: 'InternalError' })
    if (request.method === 'PUT') {
      const refused =
        fault === 'conflict' ? { status: 409, code: 'ConditionalRequestConflict' } : write(request, key, body)
      if (fault === 'lose-answer') request.socket.destroy()
      else if (refused !== null) refuse(response, refused)
      else response.writeHead(200, { ETag: etagOf(body) }).end()
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (request.method === 'GET' && key === '') list(response, url.searchParams)
    else if (request.method === 'GET') read(request, response, key, fault)
    else refuse(response, { status: 405, code: 'MethodNotAllowed' })
  })

  function write({ headers }: IncomingMessage, key: string, body: Buffer): Refusal | null {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
    const present = objects.get(key)
    if (ifNoneMatch !== undefined && honours.includes('if-none-match')) {
      if (ifNoneMatch !== '*') return { status: 501, code: 'NotImplemented' }
      if (present !== undefined) return { status: 412, code: 'PreconditionFailed' }
    }
    if (ifMatch !== undefined && honours.includes('if-match')) {
      if (present === undefined) return { status: 404, code: 'NoSuchKey' }
      if (ifMatch !== etagOf(present)) return { status: 412, code: 'PreconditionFailed' }
    }
    objects.set(key, body)
    writtenAtMs.set(key, Date.now())
    return null
  }

  function read(request: IncomingMessage, response: ServerResponse, key: string, fault: S3Fault | null) {
    const present = objects.get(key)
    if (present === undefined) return refuse(response, { status: 404, code: 'NoSuchKey' })
    const etag = etagOf(present)
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { ETag: etag }).end()
    const body = Buffer.from(present)
    if (fault === 'corrupt') body[0] = (body[0] ?? 0) ^ 1
    const half = body.subarray(0, body.length >> 1)
    if (fault === 'truncate') return void response.writeHead(200, { ETag: etag }).end(half) // a proxy that gave up
    response.writeHead(200, { ETag: etag, 'Content-Length': body.length })
    if (fault === 'stall-body') response.write(half)
    else if (fault === 'cut-body') response.write(half, () => request.socket.destroy())
    else response.end(body)
  }

  function list(response: ServerResponse, query: URLSearchParams) {
    if (query.get('list-type') !== '2') return refuse(response, { status: 400, code: 'InvalidArgument' })
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort()
    const page = keys.slice(0, pageSize)
    const isTruncated = page.length < keys.length
    const token = Buffer.from(page.at(-1) ?? '').toString('base64')
    const next = isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
    const contents = page
      .map((key) => {
        const [name, bytes] = [key.replaceAll('&', '&amp;'), objects.get(key)?.length ?? 0]
        const written = new Date(writtenAtMs.get(key) ?? Date.now()).toISOString()
        return `<Contents><Key>${name}</Key><LastModified>${written}</LastModified><Size>${bytes}</Size></Contents>`
      })
      .join('')
    response.writeHead(200, { 'Content-Type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`,
    )
  }

  const state = { fault: (_method: string, _key: string): S3Fault | null => null, isDown: false }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return Object.assign(state, {
    endpoint: new URL(`http://127.0.0.1:${address.port}`),
    bucket: BUCKET,
    region: REGION,
    credentials: CREDENTIALS,
    objects,
    requests,
    writtenAtMs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function etagOf(body: Buffer): string {
  return `"${hash('md5', body)}"`
}

function refuse(response: ServerResponse, { status, code }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** Signature Version 4, as Amazon's "Authenticating Requests (AWS Signature Version 4)" has it. */
function findSignatureProblem(request: IncomingMessage, url: URL, body: Buffer): Refusal | null {
  const { headers } = request
  const [, keyId, date = '', region, signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (keyId === undefined) return { status: 403, code: 'AccessDenied' }
  if (keyId !== CREDENTIALS.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  const names = signedHeaders.split(';')
  const time = String(headers['x-amz-date'])
  const atMs = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - atMs) < CLOCK_SKEW_MS)) return { status: 403, code: 'RequestTimeTooSkewed' }
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => /^(?:x-amz-|if-)/.test(name))]
  if (region !== REGION || !time.startsWith(date) || mustBeSigned.some((name) => !names.includes(name))) {
    return { status: 403, code: 'AuthorizationHeaderMalformed' }
  }
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== hash('sha256', body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonical = [
    request.method,
    decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const scope = `${date}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical)].join('\n')
  const sign = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const key = [date, REGION, 's3', 'aws4_request'].reduce<string | Buffer>(
    sign,
    `AWS4${CREDENTIALS.secretAccessKey}`,
  )
  const isRight = timingSafeEqual(sign(key, text), Buffer.from(signature, 'hex'))
  return isRight ? null : { status: 403, code: 'SignatureDoesNotMatch' }
}

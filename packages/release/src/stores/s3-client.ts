import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionProblem } from '@sekisho/contract/connection-failure'
import { Message } from '@sekisho/contract/language'
import { AwsClient } from 'aws4fetch'
import { ReleaseError } from '../errors.ts'
import { problemOf } from '../texts/index.ts'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** A place in a bucket. Addressed as `endpoint/bucket/key`, which every S3 server understands. */
interface BucketAddress {
  readonly endpoint: URL
  readonly region: string
  readonly bucket: string
  /** Empty, or text that ends with a slash. */
  readonly prefix: string
}

/** On what condition an object is written: that there is none, or that it is still the one with this ETag. */
type WriteCondition = { readonly ifNoneMatch: '*' } | { readonly ifMatch: string }

/** Objects of a bucket below a prefix. Every request is signed, its body included (SigV4). */
export interface S3Client {
  /** Null when there is no such object, `unchanged` when it still has the ETag `known`. */
  get(key: string, options?: { known?: string }): Promise<Response | 'unchanged' | null>
  /** The new ETag, or null when the condition does not hold; without one the object is written whatever is there. */
  put(key: string, body: PutBody, condition: WriteCondition | null): Promise<string | null>
  /** Every key that begins with `prefix`, as long as the list may be. */
  list(prefix: string): Promise<readonly string[]>
  /** The same with how long each object is, and when it was written. */
  listObjects(prefix: string): Promise<readonly S3Object[]>
  /** Removes an object; content that is not there is no failure. */
  delete(key: string): Promise<void>
}

interface S3Object {
  readonly key: string
  readonly bytes: number
  /** Milliseconds since the epoch, by the bucket's clock. */
  readonly writtenAtMs: number
}

interface PutBody {
  readonly content: Blob | Uint8Array<ArrayBuffer>
  /** Lower-case hex; the server refuses any other bytes. */
  readonly sha256: string
}

export interface S3ClientOptions extends BucketAddress {
  /** Asked for each request, so that credentials in files may be rotated. */
  readonly credentials: () => S3Credentials
  readonly fetch?: typeof fetch
  /** Timeout for the start of a response; its body gets a second more for each 100 KB. */
  readonly maxMs?: number
  /** Ends what is under way; nothing is tried again after it. */
  readonly signal?: AbortSignal
}

const ATTEMPTS = 4
const FIRST_PAUSE_MS = 100
/** Slower than this is as good as not there: the time a request may take grows by a second for so many bytes. */
const SLOWEST_BYTES_PER_S = 100_000
const MAX_LIST_PAGE_BYTES = 4 * 1024 * 1024
/** Assumed length of a response without a declared one. */
const UNKNOWN_BYTES = 1_000_000
const EMPTY_SHA256 = hash('sha256', '')

/** Creates a client that tries again what fails for reasons that may pass. */
export function createS3Client(options: S3ClientOptions): S3Client {
  const { endpoint, region, bucket, prefix, credentials, maxMs = 15_000 } = options
  const send = options.fetch ?? fetch
  const signingKeys = new Map<string, ArrayBuffer>()
  const place = `s3://${bucket}/${prefix}`
  const base = `${endpoint.href.replace(/\/$/, '')}/${bucket}`

  async function sign(url: string, init: RequestInit, sha256: string): Promise<Request> {
    const headers = new Headers(init.headers)
    headers.set('X-Amz-Content-Sha256', sha256)
    const signer = new AwsClient({ ...credentials(), service: 's3', region, cache: signingKeys })
    return signer.sign(url, { ...init, headers, redirect: 'manual' })
  }

  /** Ends both an answer that does not begin and one that does not go on. */
  async function sendWithin(signed: Request, limitMs: number): Promise<Response> {
    const late = new AbortController()
    const endAfter = (ms: number) =>
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms).unref()
    const beginning = endAfter(limitMs)
    const signal = options.signal === undefined ? late.signal : AbortSignal.any([late.signal, options.signal])
    const answer = await send(signed, { signal }).finally(() => clearTimeout(beginning))
    endAfter(maxMs + msFor(Number(answer.headers.get('content-length') ?? UNKNOWN_BYTES)))
    return answer
  }

  /** The answer, whatever it is, unless the fault is one that may pass: then once more. */
  async function request(url: string, init: RequestInit, sha256 = EMPTY_SHA256, limitMs = maxMs) {
    for (let attempt = 1; ; attempt += 1) {
      const signed = await sign(url, init, sha256)
      const answer = await sendWithin(signed, limitMs).catch(connectionProblem)
      const mayPass = !(answer instanceof Response) || answer.status >= 500 || answer.status === 429
      if (!mayPass) return answer
      const isFinal = answer instanceof Message // a certificate is not accepted the next time either
      if (isFinal || attempt === ATTEMPTS || options.signal?.aborted === true) {
        const reason = answer instanceof Response ? problemOf('answered', answer.status) : answer
        throw new ReleaseError('store_unavailable', [problemOf('unreachable', place, reason)])
      }
      if (answer instanceof Response) await answer.body?.cancel()
      await pause(attempt)
    }
  }

  async function refused(answer: Response, what: Message, code?: string | null): Promise<ReleaseError> {
    const { status } = answer
    const known = code === undefined ? await readCode(answer) : code
    const reason = known === null ? problemOf('no_reason', status) : `${status} ${known}`
    return new ReleaseError('store_refused', [problemOf('refused', place, what, reason)])
  }

  async function listObjects(below: string): Promise<readonly S3Object[]> {
    const objects: S3Object[] = []
    for (let token: string | null = ''; token !== null; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + below })
      if (token !== '') query.set('continuation-token', token)
      const answer = await request(`${base}?${query}`, {})
      if (answer.status !== 200) throw await refused(answer, problemOf('bucket_act_list'))
      const page = (await readText(answer, MAX_LIST_PAGE_BYTES)).toString()
      const [, ...contents] = page.split('<Contents>')
      objects.push(...contents.map(readObject))
      const next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page)?.[1]
      const isLast = !/<IsTruncated>true<\/IsTruncated>/.test(page)
      token = isLast || next === undefined ? null : unescapeXml(next)
    }
    return objects
  }

  function readObject(xml: string): S3Object {
    const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
    return {
      key: unescapeXml(field('Key')).slice(prefix.length),
      bytes: Number(field('Size')),
      writtenAtMs: Date.parse(field('LastModified')),
    }
  }

  return {
    async get(key, { known } = {}) {
      const headers = new Headers(known === undefined ? {} : { 'If-None-Match': known })
      const answer = await request(`${base}/${prefix}${key}`, { headers })
      if (answer.status === 200) return answer
      if (answer.status === 304 && known !== undefined) return 'unchanged'
      // Without the right to list, S3 says 403 of an object that is not there; then the operator has to hear of it.
      const code = await readCode(answer)
      if (answer.status === 404 && code === 'NoSuchKey') return null
      throw await refused(answer, problemOf('bucket_act_read', key), code)
    },
    async put(key, { content, sha256 }, condition) {
      const bytes = content instanceof Blob ? content.size : content.byteLength
      const headers = new Headers({ 'Content-Type': 'application/octet-stream' })
      if (condition !== null && 'ifMatch' in condition) headers.set('If-Match', condition.ifMatch)
      else if (condition !== null) headers.set('If-None-Match', '*')
      const limitMs = maxMs + msFor(bytes)
      const init = { method: 'PUT', body: content, headers }
      for (let attempt = 1; ; attempt += 1) {
        const answer = await request(`${base}/${prefix}${key}`, init, sha256, limitMs)
        if (answer.status === 200) return answer.headers.get('etag') ?? ''
        // 412: the condition does not hold; 404: there is nothing to match.
        if (answer.status === 412 || (answer.status === 404 && condition !== null && 'ifMatch' in condition))
          return null
        // 409: another write of the same object was under way, and either may have been the one that counts.
        if (answer.status !== 409 || attempt === ATTEMPTS)
          throw await refused(answer, problemOf('bucket_act_write', key))
        await pause(attempt)
      }
    },
    list: async (below) => (await listObjects(below)).map(({ key }) => key),
    listObjects,
    async delete(key) {
      const answer = await request(`${base}/${prefix}${key}`, { method: 'DELETE' })
      if (!answer.ok && answer.status !== 404)
        throw await refused(answer, problemOf('bucket_act_remove', key))
      await answer.body?.cancel()
    },
  }
}

function msFor(bytes: number): number {
  return (bytes / SLOWEST_BYTES_PER_S) * 1_000
}

function pause(attempt: number): Promise<void> {
  return sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2))
}

/** The bytes of an answer, refused beyond `maxBytes`; a connection that breaks in the middle is an outage like any other. */
export async function readText(answer: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new ReleaseError('store_unavailable', [problemOf('answer_broke_off', connectionProblem(error))])
  }
  if (bytes <= maxBytes) return Buffer.concat(chunks)
  throw new ReleaseError('store_refused', [problemOf('answer_too_large')])
}

/** The code that a refusal names in its body; null where it names none. Reads the body. */
async function readCode(answer: Response): Promise<string | null> {
  const text = (await readText(answer, 64 * 1024).catch(() => '')).toString()
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? null
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
}

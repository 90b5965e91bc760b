import { hash, randomBytes } from 'node:crypto'
import { boundFetch } from '@sekisho/contract/bounded-fetch'
import type { Message } from '@sekisho/contract/language'
import { createS3Client, ReleaseError, type S3Client, type S3ClientOptions } from '@sekisho/release'
import { type CheckResult, found } from './finding.ts'

/** Faults of a bucket; each has its text. */
type Flaw = 'create' | 'swap' | 'both' | 'read' | 'hash' | 'etag' | 'list' | 'gone' | 'open'

/**
 * Tests a bucket under a temporary prefix for the operations a store needs. Read-only credentials belong to gates, so nothing is tested.
 * Throws `ReleaseError` when it cannot be reached.
 */
export async function checkBucketRights(
  address: S3ClientOptions,
  { mayOnlyRead }: BucketOptions,
): Promise<CheckResult> {
  const prefix = `${address.prefix}sekisho-check-${randomBytes(6).toString('hex')}/`
  const options = { ...address, prefix }
  const client = createS3Client(options)
  try {
    const findings = await findFlaws(client, options)
    const place = `s3://${address.bucket}/${address.prefix}`
    return { facts: findings.length === 0 ? [found('saw_bucket', place)] : [], findings }
  } catch (error) {
    const mayNotWrite =
      error instanceof ReleaseError && error.code === 'store_refused' && mayOnlyRead !== null
    if (!mayNotWrite) throw error
    return mayOnlyRead
      ? { facts: [found('bucket_may_not_write')], findings: [] }
      : { facts: [], findings: [found('bucket_read_only')] }
  } finally {
    for (const key of await client.list('')) await client.delete(key)
  }
}

interface BucketOptions {
  /** These credentials need no write access; null for publishers, who are not asked. */
  readonly mayOnlyRead: boolean | null
}

async function findFlaws(client: S3Client, options: S3ClientOptions): Promise<readonly Message[]> {
  const flaws: Message[] = []
  const expect = (isRight: boolean, flaw: Flaw) => {
    if (!isRight) flaws.push(found(`bucket_${flaw}`))
  }
  const [one, two, three] = [bodyOf('one'), bodyOf('two'), bodyOf('three')]

  const first = await client.put('pointer', one, { ifNoneMatch: '*' })
  expect((await client.put('pointer', two, { ifNoneMatch: '*' })) === null, 'create')
  const read = await client.get('pointer')
  const etag = read instanceof Response ? read.headers.get('etag') : null
  if (read instanceof Response) await read.body?.cancel()
  expect(etag !== null && etag !== '', 'etag')
  expect((await client.get('pointer', { known: etag ?? '"none"' })) === 'unchanged', 'read')
  expect(
    (await client.put('pointer', three, { ifMatch: '"00000000000000000000000000000000"' })) === null,
    'swap',
  )
  const now = await currentEtag(client)
  const racing = [bodyOf('four'), bodyOf('five')].map((body) => client.put('pointer', body, { ifMatch: now }))
  expect((await Promise.all(racing)).filter((outcome) => outcome !== null).length === 1, 'both')
  expect((await currentEtag(client)) !== first, 'etag')

  const damaged = { ...one, sha256: two.sha256 }
  const isRefused = await client.put('damaged', damaged, { ifNoneMatch: '*' }).then(
    () => false,
    (error: unknown) => error instanceof ReleaseError && error.code === 'store_refused',
  )
  expect(isRefused, 'hash')
  expect((await client.list('')).includes('pointer'), 'list')
  expect(!(await isOpen(options)), 'open')
  await client.delete('pointer')
  expect((await client.get('pointer')) === null, 'gone')
  return flaws
}

async function currentEtag(client: S3Client): Promise<string> {
  const answer = await client.get('pointer')
  if (!(answer instanceof Response)) return ''
  await answer.body?.cancel()
  return answer.headers.get('etag') ?? ''
}

async function isOpen({ endpoint, bucket, prefix }: S3ClientOptions): Promise<boolean> {
  const send = boundFetch(fetch, { maxBytes: 64 * 1024, timeoutMs: 15_000 })
  return (await send(new URL(`/${bucket}/${prefix}pointer`, endpoint), { redirect: 'manual' })).ok
}

function bodyOf(text: string) {
  return { content: Buffer.from(text), sha256: hash('sha256', text) }
}

import { hash, randomBytes } from 'node:crypto'
import { createS3Client, ReleaseError, type S3Client, type S3ClientOptions } from '@sekisho/release'
import type { CommandIo } from './command.ts'
import { readPlace } from './release-store.ts'

const WHY = {
  create:
    'it ignores If-None-Match on writes: what one publisher wrote another overwrites. Choose a bucket with conditional writes',
  swap: 'it ignores If-Match on writes: of two publishers at the same moment the second undoes the first and neither hears of it. Choose a bucket with conditional writes',
  both: 'of two writes at the same moment with the same If-Match it accepted both, or none. Choose a bucket with conditional writes',
  read: 'it ignores If-None-Match on reads: each look at the pointer would be taken for a new release',
  hash: 'it does not verify the SHA-256 of what it is sent: a file could be damaged on its way',
  etag: 'it gives no ETag that changes with the contents, so that conditions mean nothing',
  list: 'its list does not hold what was written a moment ago: it must be strongly consistent',
  gone: 'what was removed is still there',
  open: 'it is open to everybody: an object was read without a signature. Close it (block public access) before you publish',
} as const

/**
 * Tries the bucket that `SEKISHO_RELEASES` names, below a prefix of its own, and removes what it wrote. Answers a sentence for
 * each thing that a store of releases needs and this one does not do.
 */
export async function checkBucket(io: CommandIo): Promise<readonly string[]> {
  try {
    const place = readPlace(io)
    if (place === null || 'folder' in place) return ['SEKISHO_RELEASES names no bucket']
    const prefix = `${place.bucket.prefix}sekisho-check-${randomBytes(6).toString('hex')}/`
    const options = { ...place.bucket, prefix }
    io.print(`  trying      s3://${options.bucket}/${prefix}`)
    const client = createS3Client(options)
    try {
      return await findFlaws(client, options)
    } finally {
      for (const key of await client.list('')) await client.delete(key)
    }
  } catch (error) {
    if (error instanceof ReleaseError) return error.problems
    throw error
  }
}

async function findFlaws(client: S3Client, options: S3ClientOptions): Promise<readonly string[]> {
  const flaws: string[] = []
  const expect = (isRight: boolean, flaw: keyof typeof WHY) => {
    if (!isRight) flaws.push(`the bucket cannot be used: ${WHY[flaw]}`)
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
  const answer = await fetch(new URL(`/${bucket}/${prefix}pointer`, endpoint), { redirect: 'manual' })
  await answer.body?.cancel()
  return answer.ok
}

function bodyOf(text: string) {
  return { content: Buffer.from(text), sha256: hash('sha256', text) }
}

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isIntact, readPointer } from '@sekisho/release'
import { type S3Server, startS3Server } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { type Cluster, startCluster } from '../cluster.ts'
import { type ClusterStore, idAt } from '../cluster-releases.ts'
import { type Events, judge, RELEASE_LIMIT_MS } from '../judge.ts'
import { readAuditLines, readTrail } from '../operator.ts'
import { type Observation, read } from '../readers.ts'
import type { Outcome } from './outcome.ts'
import { LARGE_BYTES, type Published, publishAll, TEXTS } from './publishing-script.ts'

interface PublishingOptions {
  readonly perSecond: number
  readonly readers: number
}

/** The script takes about that long. */
const READ_SECONDS = 120

/** Publishes through three gates that follow a bucket, while readers read. */
export async function runPublishing({ perSecond, readers }: PublishingOptions): Promise<Outcome> {
  await using bucket = await startS3Server()
  const pages = Math.ceil((perSecond * READ_SECONDS) / readers)
  await using cluster = await startCluster({
    ...{ gates: 3, pages, texts: TEXTS, largeBytes: LARGE_BYTES },
    store: storeIn(bucket),
  })
  const { issuer, releases, balancerPort: port, gates } = cluster
  const seen: Observation[] = []
  const published: Published = { publications: [], kills: [], problems: [], rows: [] }
  published.publications.push({ id: idAt(releases.ids, 0), fromMs: 0, byMs: 0 })
  const ending = new AbortController()
  const reading = read({
    ...{ count: readers, perSecond, port, issuer, pages: releases.pages, signal: ending.signal },
    observe: (one) => void seen.push(one),
  })
  await publishAll(cluster, bucket, published)
  await sleep(RELEASE_LIMIT_MS)
  ending.abort()
  await reading
  const crashes = gates.flatMap(({ name, crash }) => {
    const said = crash()
    return said === null ? [] : [`${name} ended by itself: ${said.slice(-1_000)}`]
  })
  for (const gate of gates) await gate.stop()
  const { rows, problems, publications, kills } = published
  const events: Events = { publications, kills, stops: [], lost: [], outages: [], disabled: new Map() }
  const judged = judge(seen, events, releases, await readTrail(cluster))
  const damaged = await findDamaged(cluster)
  const unrecorded = await findUnrecorded(cluster, publications)
  const served = seen.filter(({ asking, status }) => asking === 'page' && status === 200).length
  if (judged.releaseMs > RELEASE_LIMIT_MS)
    problems.push(`a release was replaced ${Math.round(judged.releaseMs)} ms ago and still served`)
  return {
    rows: [
      ['while releases are published: pages answered, releases', `${served}, ${publications.length - 1}`, ''],
      ['wrong answers: pages of two releases, of none, of one that is over', judged.wrong.length, '0'],
      ['a published release is served by every gate', `${Math.round(judged.releaseMs)} ms`, '≤ 2 s'],
      ...rows,
      ['releases that are not whole at a gate in the end', damaged.length, '0'],
      ['publications without a line in the audit trail', unrecorded.length, '0'],
      ['refusals that no killed gate explains', judged.refusals.other.length, '0'],
    ],
    problems: [
      ...crashes,
      ...judged.wrong,
      ...judged.lostSessions.map((one) => `${one}: a session was lost`),
      ...judged.lostLines.map((one) => `${one}: has no line in the audit trail`),
      ...judged.refusals.other,
      ...damaged,
      ...unrecorded,
      ...problems,
    ],
  }
}

function storeIn(bucket: S3Server): ClusterStore {
  const { accessKeyId, secretAccessKey } = bucket.credentials
  const query = new URLSearchParams({ endpoint: bucket.endpoint.origin, region: bucket.region })
  return {
    place: { bucket: { ...bucket, prefix: 'docs/', credentials: () => bucket.credentials } },
    env: {
      SEKISHO_RELEASES: `s3://${bucket.bucket}/docs/?${query}`,
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    },
  }
}

/** Releases that are not as they were packed at the gates, each as a sentence. */
async function findDamaged({ gates, releases, folder }: Cluster): Promise<string[]> {
  const { id: current } = await releases.store.readPointer()
  const damaged: string[] = []
  for (const { name } of gates) {
    const { fetchedReleases } = dataFolderAt(join(folder, name))
    const id = await readPointer(fetchedReleases)
    if (id !== current) damaged.push(`${name} serves ${id}, not ${current}`)
    else if (!(await isIntact(fetchedReleases, id ?? ''))) damaged.push(`${name} has ${id}, but not whole`)
  }
  return damaged
}

/** Publications of which the trail says nothing, each as a sentence. */
async function findUnrecorded(cluster: Cluster, publications: Events['publications']): Promise<string[]> {
  const recorded = new Set<unknown>()
  for await (const { event, release } of readAuditLines(cluster))
    if (event === 'release_published' || event === 'release_rolled_back') recorded.add(release)
  return publications
    .slice(1)
    .flatMap(({ id }) => (recorded.has(id) ? [] : [`the trail says nothing of the publication of ${id}`]))
}

import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { isReleaseId, replaceDurably } from '@sekisho/release'

/** Inputs of the last build, and the resulting release. */
interface BuildRecord {
  readonly fingerprint: string
  readonly releaseId: string
}

const fileOf = (dataDir: string) => join(dataDir, 'cache', 'build.json')

/** The record of the last build; null when there is none or it cannot be understood, which only costs a build. */
export async function readBuildRecord(dataDir: string): Promise<BuildRecord | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  const shape = new ShapeReader()
  const root = shape.object(parseJson(text, 'build.json', shape), 'build.json', ['fingerprint', 'releaseId'])
  const record = {
    fingerprint: shape.text(root.fingerprint, 'fingerprint'),
    releaseId: shape.text(root.releaseId, 'releaseId'),
  }
  return shape.problems.length === 0 && isReleaseId(record.releaseId) ? record : null
}

/** Remembers a build. */
export async function writeBuildRecord(dataDir: string, record: BuildRecord): Promise<void> {
  await mkdir(dirname(fileOf(dataDir)), { recursive: true })
  await replaceDurably(fileOf(dataDir), Buffer.from(`${JSON.stringify(record)}\n`))
}

import { ReleaseError } from './errors.ts'
import { problemOf } from './texts/index.ts'

const RELEASE_ID = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-([0-9a-f]{8})$/

/** Tells if a text has the form of a release id; the release need not exist. */
export function isReleaseId(text: string): boolean {
  return RELEASE_ID.test(text)
}

/** `YYYYMMDDTHHMMSSZ-` and the first 8 digits of the SHA-256 of the manifest's bytes. */
export function createReleaseId(nowMs: number, manifestSha256: string): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${time}-${manifestSha256.slice(0, 8)}`
}

/** Takes an id apart, or throws {@link ReleaseError} when it is not one. */
export function readReleaseId(id: string): { createdAt: string; digest: string } {
  const match = RELEASE_ID.exec(id)
  if (match === null)
    throw new ReleaseError('pointer_invalid', [problemOf('no_release_id', JSON.stringify(id))])
  const [, year, month, day, hour, minute, second, digest = ''] = match
  return { createdAt: `${year}-${month}-${day}T${hour}:${minute}:${second}Z`, digest }
}

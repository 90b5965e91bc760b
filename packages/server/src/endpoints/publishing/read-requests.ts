import { isRecord, ShapeReader } from '@sekisho/contract/json-shape'
import { isPreviewName } from '@sekisho/contract/preview-host'
import type { PlanRequest, PreviewTarget, PublishTarget } from '@sekisho/contract/publishing'
import { isReleaseId } from '@sekisho/release'

const SHA256 = /^[0-9a-f]{64}$/
const TARGET_KEYS = ['preview', 'branch', 'commit', 'expiresInDays', 'readers']
const MAX_DAYS = 90

/** Null for an invalid target. A preview's own description is validated where it is stored. */
export function readTarget(body: unknown): PublishTarget | null {
  if (!isRecord(body) || Object.keys(body).join() !== 'target') return null
  return body.target === 'production' ? 'production' : readPreviewTarget(body.target)
}

function readPreviewTarget(value: unknown): PreviewTarget | null {
  const shape = new ShapeReader()
  const fields = shape.object(value, 'target', TARGET_KEYS)
  const preview = shape.text(fields.preview, 'preview')
  const days = fields.expiresInDays === undefined ? null : shape.count(fields.expiresInDays, 'expiresInDays')
  if (!isPreviewName(preview) || (days !== null && !(days >= 1 && days <= MAX_DAYS))) return null
  const target = {
    preview,
    branch: shape.text(fields.branch, 'branch'),
    commit: shape.text(fields.commit, 'commit'),
    ...(days !== null && { expiresInDays: days }),
    ...(fields.readers !== undefined && { readers: readReaders(fields.readers, shape) }),
  }
  return shape.problems.length === 0 ? target : null
}

function readReaders(value: unknown, shape: ShapeReader) {
  const readers = shape.object(value, 'readers', ['domains', 'emails'])
  const texts = (list: unknown) => shape.array(list, 'readers').map((one) => shape.text(one, 'readers'))
  return { domains: texts(readers.domains), emails: texts(readers.emails) }
}

/** Null for what names no manifest; `more` are further keys the request has. */
export function readPlanRequest(body: unknown, more: readonly string[] = []): PlanRequest | null {
  const shape = new ShapeReader()
  const fields = shape.object(body, 'plan', ['id', 'sha256', 'bytes', ...more])
  const id = shape.text(fields.id, 'id')
  const sha256 = shape.matching(fields.sha256, 'sha256', SHA256, 'a SHA-256')
  const bytes = shape.count(fields.bytes, 'bytes')
  const isPlan = shape.problems.length === 0 && isReleaseId(id) && id.endsWith(`-${sha256.slice(0, 8)}`)
  return isPlan ? { id, sha256, bytes } : null
}

/** Tells if a publisher means to show restricted pages to more readers. */
export const isWidening = (body: unknown): boolean => isRecord(body) && body.widen === true

/** A release id, or null for nothing served yet; undefined for anything else. */
export function readServedId(value: unknown): string | null | undefined {
  return value === null || (typeof value === 'string' && isReleaseId(value)) ? value : undefined
}

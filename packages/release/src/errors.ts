import { ExplainedError } from '@sekisho/contract/explained-error'
import type { MessageOrText } from '@sekisho/contract/language'

/** Reasons for failing to read, pack or publish a release. */
export type ReleaseErrorCode =
  | 'manifest_invalid'
  | 'manifest_mismatch'
  | 'release_missing'
  | 'pointer_invalid'
  | 'pointer_moved'
  | 'build_invalid'
  | 'site_invalid'
  | 'build_failed'
  | 'build_locked'
  | 'store_unavailable'
  | 'store_refused'
  | 'preview_invalid'
  | 'previews_full'
  | 'preview_taken'

/** An operator's mistake or a damaged folder; the message says every problem at once. */
export class ReleaseError extends ExplainedError {
  override readonly name = 'ReleaseError'
  readonly code: ReleaseErrorCode

  constructor(code: ReleaseErrorCode, problems: readonly MessageOrText[]) {
    super(problems)
    this.code = code
  }
}

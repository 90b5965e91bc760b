/** Why a release could not be read, packed or published. */
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
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
  readonly code: ReleaseErrorCode
  readonly problems: readonly string[]

  constructor(code: ReleaseErrorCode, problems: readonly string[]) {
    super(summarise(problems))
    this.code = code
    this.problems = problems
  }
}

const SHOWN = 20

function summarise(problems: readonly string[]): string {
  const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : []
  return [...problems.slice(0, SHOWN), ...more].join('\n')
}

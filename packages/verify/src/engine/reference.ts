import type { PublicText } from '../leaks/public-text.ts'

/**
 * What this product says when it has no release to speak of: the yardstick for what is public. It is made from
 * the code that runs verify, never from the gate under test.
 */
export interface Reference {
  readonly publicText: PublicText
  /** SHA-256 of every body the product answers without a release. */
  readonly pinned: ReadonlySet<string>
  /** The exact paths of the open routes. */
  readonly openPaths: readonly string[]
  /** Open routes whose answers come from the identity service: their bytes are its own, and never the release's. */
  readonly identityPaths: ReadonlySet<string>
  readonly isPublicName: (name: string) => boolean
}

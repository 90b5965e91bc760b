import type { Edition, Manifest } from '@sekisho/release'
import type { Visit } from '../kernel/route-table.ts'

/** What an agent's reader is served: one edition of a release, and no other page. */
export interface ServedPages {
  readonly releaseId: string
  /** How the trail names the release and the edition. */
  readonly servedAs: string
  readonly site: Manifest['site']
  readonly edition: Edition
  /** The search index of the pages below a path; null when there is none. */
  readonly search: (baseUrl: string) => NamedIndex | null
  /** The text of a page as Markdown; null for what has none. Throws `UnavailableError` where it is damaged. */
  markdown(path: string): Promise<string | null>
}

/** `ja` of `ja-JP`. */
export const primaryLanguage = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? ''

/** Where an index is; it goes to the search as it came. */
export interface NamedIndex {
  readonly file: string
  readonly sha256: string
}

/** Where agents get what they read. */
export interface PublishedPages {
  /** What this reader is served now, or null when there is nothing. */
  current(session: Visit): Promise<ServedPages | null>
}

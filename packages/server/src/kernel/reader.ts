import type { Edition, Manifest, ReleaseFile } from '@sekisho/release'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Identity, Session } from '../state/sessions/index.ts'

/** A signed-in reader for one request, with the release and edition that answer it. */
export interface Reader {
  /** The account as its issuer vouches for it now. */
  readonly account: Identity
  /** Groups of the account by the policy in force, each with its label on this site. */
  readonly groups: ReadonlyMap<string, string>
  /** Tells if the account is among the owners that a page names, by the policy in force. */
  readonly owns: (owner: string) => boolean
  /** Credential of the request: a browser's session, an agent's token, or a personal token. */
  readonly via: 'session' | 'agent' | 'token'
  /** The session that the credential stands for. */
  readonly session: Session
  /** The grant behind a token; null for a browser's session. */
  readonly grant: ReaderGrant | null
  /** The one release and edition of this request; null when there is none for this reader. */
  readonly served: ServedEdition | null
  /** The edition without viewing-as, which agents of this account get; null as `served`. */
  readonly ownEdition: EditionName | null
  /** Name of the served edition while its reader views the portal as that one; else null. */
  readonly viewingAs: string | null
  /** Editions that this reader may view the portal as. */
  readonly viewable: readonly EditionName[]
}

/** Name and label of an edition, without anything that it holds. */
export interface EditionName {
  readonly name: string
  readonly label: string
}

/** An agent grant or a personal token, as the audit trail and limits name it. */
interface ReaderGrant {
  readonly id: string
  /** Empty for a personal token. */
  readonly client: string
  readonly name: string
}

/** One edition of a published release: everything of it that a request may be answered with. */
export interface ServedEdition extends Pick<Edition, 'name' | 'audiences'> {
  readonly releaseId: string
  /** Identifier of release and edition for tabs and the audit trail; either changing is news to a tab. */
  readonly servedAs: string
  readonly site: Manifest['site']
  readonly edition: Edition
  readonly search: FindIndex
  /**
   * The search of the preceding release in the same edition (decisions/056). Null unless the tab names that release and the session began
   * before this one.
   */
  earlierSearch(session: Pick<Session, 'startedAtMs'>, servedAs: string): Promise<FindIndex | null>
  /** The text of a page as Markdown; null for a page without any. Throws `UnavailableError` if it is damaged. */
  markdown(path: string): Promise<string | null>
  /** Answers a request for a decoded canonical path. */
  respond(request: GateRequest, path: string, scope: FileScope): Promise<FileResponse>
}

/** Files that a credential may request: all of them, or nothing but the text of pages. */
export type FileScope = 'all' | 'text'

/** Finds the search index of the pages below a path: its locale's, or else the main locale's; null if there is none. */
export type FindIndex = (baseUrl: string) => NamedIndex | null

/** Location of an index, and the files of its pages if they are not in that one file. */
export interface NamedIndex extends NamedFile {
  readonly parts?: readonly NamedFile[]
}

interface NamedFile {
  readonly file: string
  readonly sha256: string
}

/** A response from a release and the policy it is to be sent with. */
export interface FileResponse {
  readonly response: GateResponse
  readonly csp: ResponsePolicy
  /** Identifier of release and edition; absent if nothing is served. */
  readonly release?: string
  /** Pages have changed since the reader's last visit. */
  readonly hasUpdates?: boolean
  /** Number of pages that the reader has yet to acknowledge. */
  readonly openItems?: number
  /** The requested file; absent if something else is the response. */
  readonly file?: ReleaseFile
  /** Path of the file if it is not the requested one: a page's Markdown in place of the page. */
  readonly path?: string
}

/**
 * The content security policy of a response; `releases/content-policy.ts` serializes it.
 * - `page`: may run the inline scripts named here and its own files.
 * - `script`: applies if a page starts it as a worker.
 * - `isolated`: no scripts, and not the portal's origin.
 * - `bare`: nothing to run.
 */
export type ResponsePolicy =
  | {
      readonly kind: 'page'
      readonly scriptHashes: readonly string[]
    }
  | { readonly kind: 'script' }
  | { readonly kind: 'isolated' }
  | { readonly kind: 'bare' }

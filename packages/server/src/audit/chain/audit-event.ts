/** Recorded events; persons and places are fields, and no field holds a token or a cookie. */
export type AuditEvent = SimpleEvent | ReadingEvent

/** Events other than readings. */
export type SimpleEvent =
  | 'gate_started'
  | 'gate_stopped'
  | 'restarted_uncleanly'
  | 'lines_missing'
  | 'unsigned_trail_continued'
  | 'lines_removed'
  | 'head_noted'
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'session_expired'
  | 'session_revoked'
  | 'access_refused'
  | 'groups_changed'
  | 'groups_unknown'
  | 'policy_changed'
  | 'policy_rules'
  | 'editions_changed'
  | 'viewing_as_began'
  | 'viewing_as_ended'
  | 'operator_acted'
  | 'publisher_admitted'
  | 'publish_refused'
  | 'release_published'
  | 'release_rolled_back'
  | 'preview_readers_changed'
  | 'agent_registered'
  | 'agent_allowed'
  | 'agent_refused'
  | 'agent_ended'
  | 'agent_token_made'
  | 'page_acknowledged'
  | 'notice_sent'
  | 'page_reviewed'
  | 'readings_repeated'

/**
 * Ways for content to leave the gate: `script_read` is the script with a page's text, fetched by itself; `file_read` any other file;
 * `agent_read` a tool's result; `answer_read` an answer and the passages given to the operator's model.
 */
export type ReadingEvent =
  | 'page_read'
  | 'script_read'
  | 'file_read'
  | 'search_read'
  | 'agent_read'
  | 'answer_read'

export type AuditFields = Readonly<Record<string, string | number | readonly string[] | null>>

/** Content that a reader was given. */
export interface Reading {
  readonly event: ReadingEvent
  readonly reader: {
    readonly email: string
    readonly issuer: string
    readonly sub: string /** Of the session. */
    readonly id: string
  }
  readonly path: string
  readonly release: string | null
  /** Id of the request, as in the log. */
  readonly request: string
  /** Further fields: the page of a script, the query of a search, prefetching. */
  readonly more?: AuditFields
}

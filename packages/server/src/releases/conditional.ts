const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** Result of the preconditions: the response itself, 304, or 412 (RFC 9110 §13.2.2). */
type Precondition = 'proceed' | 'not-modified' | 'failed'

/** Judges `If-Match` and `If-None-Match` of a GET or HEAD. Dates are not judged: a release has no file times. */
export function judgePreconditions(headers: Headers, etag: string): Precondition {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null && !names(ifMatch, etag, 'strong')) return 'failed'
  const ifNoneMatch = headers.get('if-none-match')
  return ifNoneMatch !== null && names(ifNoneMatch, etag, 'weak') ? 'not-modified' : 'proceed'
}

/** Tells if a `Range` may be honoured: there is no `If-Range`, or it names exactly this representation. */
export function isRangeCurrent(headers: Headers, etag: string): boolean {
  const ifRange = headers.get('if-range')
  return ifRange === null || ifRange.trim() === etag
}

function names(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(ENTITY_TAG) ?? []
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag)
}

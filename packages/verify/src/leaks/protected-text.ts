import { htmlText, unescapeScript } from './views.ts'

/** A stretch of bytes nobody may see without a session, and where in the release it is. */
export interface ProtectedText {
  readonly where: string
  readonly bytes: Buffer
}

/** The release as verify needs it. */
export interface ProtectedRelease {
  /** Decoded canonical request paths with their files. */
  readonly files: ReadonlyMap<
    string,
    { readonly sha256: string; readonly type: string; readonly title?: string }
  >
  /** Other spellings a signed-in reader is redirected from. */
  readonly redirects: ReadonlyMap<string, string>
  /** Every stored byte: files, their stored codings, the search index. Read anew on every call. */
  readonly storedBytes: () => Iterable<ProtectedText & { readonly type: string }>
}

/**
 * Everything protected, piece by piece so that memory stays bounded by the largest file: the stored bytes, and
 * for pages and scripts also the text they show, because a leak need not keep the markup around it.
 */
export function* protectedTexts(release: ProtectedRelease): Generator<ProtectedText> {
  for (const { where, bytes, type } of release.storedBytes()) {
    yield { where, bytes }
    if (/^text\/html|\bxml\b/.test(type))
      yield { where, bytes: Buffer.from(htmlText(bytes.toString('utf8'))) }
    else if (/javascript|json/.test(type) && bytes.includes('\\')) {
      yield { where, bytes: Buffer.from(unescapeScript(bytes.toString('utf8'))) }
    }
  }
}

/** Only what pages show their readers: the part of a release that no other program's files hold by chance. */
export function* shownTexts(release: ProtectedRelease): Generator<ProtectedText> {
  for (const { where, bytes, type } of release.storedBytes()) {
    if (type.startsWith('text/html')) yield { where, bytes: Buffer.from(htmlText(bytes.toString('utf8'))) }
  }
}

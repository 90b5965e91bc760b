import type { AcknowledgementRequest } from '@sekisho/contract/page-metadata'
import { EVERY_READER } from '@sekisho/contract/page-metadata'
import type { Edition, ReleaseFile } from '@sekisho/release'
import type { Acknowledgement } from './acknowledgement-store.ts'

/** A page that asks for acknowledgement, in the version that an edition holds. */
export interface AskedPage {
  /** Decoded canonical path. */
  readonly path: string
  readonly title: string
  readonly owner: string | null
  readonly request: AcknowledgementRequest
  /** Version to acknowledge: the marked revision, or the hash of the text. */
  readonly version: string
  /** SHA-256 of the page. */
  readonly page: string
  /** SHA-256 of the text of the page; of the page where its text is not kept. */
  readonly text: string
}

/** Describes a page of an edition that asks for acknowledgement; null for any other path. */
export function findAskedPage(edition: Edition, path: string): AskedPage | null {
  const file = edition.files.get(path)
  return file === undefined ? null : describe(edition, path, file)
}

/** By edition, which never changes: a large one has tens of thousands of files, and every account page asks. */
const known = new WeakMap<Edition, readonly AskedPage[]>()

/** Every page of an edition that asks for acknowledgement. */
export function listAskedPages(edition: Edition): readonly AskedPage[] {
  const pages =
    known.get(edition) ?? [...edition.files].flatMap(([path, file]) => describe(edition, path, file) ?? [])
  known.set(edition, pages)
  return pages
}

function describe(edition: Edition, path: string, file: ReleaseFile): AskedPage | null {
  const request = file.page?.acknowledge
  if (request === undefined || file.page?.status === 'obsolete') return null
  const text = textHashOf(edition, file)
  const version = request.again === 'each' ? `text ${text}` : `revision ${file.page?.revision ?? '1'}`
  const { title = path } = file
  return { path, title, owner: file.page?.owner ?? null, request, version, page: file.sha256, text }
}

/** SHA-256 of the text of a page; of the page where its text is not kept. */
export const textHashOf = (edition: Edition, file: ReleaseFile): string =>
  edition.files.get(file.markdown ?? '')?.sha256 ?? file.sha256

/** Tells if members of these groups are asked. */
export const isAsked = ({ request }: AskedPage, groups: Pick<ReadonlySet<string>, 'has'>): boolean =>
  request.audience === EVERY_READER || groups.has(request.audience)

/** The acknowledgement of a page in its present version, among those of an account. */
export const findDone = (
  { path, version }: Pick<AskedPage, 'path' | 'version'>,
  done: readonly Acknowledgement[],
): Acknowledgement | null => done.find((one) => one.path === path && one.version === version) ?? null

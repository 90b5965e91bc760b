import { isRecord, parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { isPreviewName } from '@sekisho/contract/preview-host'
import { ReleaseError } from '../errors.ts'
import { problemOf } from '../texts/index.ts'

/** Record of a preview, apart from its releases. */
export interface Preview {
  readonly name: string
  /** Branch it was made of; shown to its readers verbatim. */
  readonly branch: string
  /** Lower-case hex, 7 to 64 digits. */
  readonly commit: string
  readonly createdAtMs: number
  /** End of its life, after which it is not served. */
  readonly expiresAtMs: number
  /** Restriction to readers admitted both here and by the portal. Absent: those of the portal. */
  readonly readers?: PreviewReaders
  /** First publisher, who alone may publish it again. Absent in entries of an earlier version: the next publisher. */
  readonly owner?: string
}

/** Mail domains and addresses, as in an access policy. Two empty lists admit no reader. */
export interface PreviewReaders {
  readonly domains: readonly string[]
  readonly emails: readonly string[]
}

/** Default lifetime of a preview. */
export const PREVIEW_LIFE_MS = 14 * 24 * 3_600_000
/** Longest life of a preview that is not published again. */
export const MAX_PREVIEW_LIFE_MS = 90 * 24 * 3_600_000
/** So many previews of a portal live at once. */
export const MAX_PREVIEWS = 100
/** And so many of them are of one owner: a ref, or a token. */
export const MAX_PREVIEWS_OF_ONE = 25
/** And so many of one repository on all its refs together, so that none takes the places of all. */
export const MAX_PREVIEWS_OF_REPOSITORY = 75

/** An entry of the list; one that is being removed stays until its files are gone. */
export type ListedPreview = Preview & { readonly isRemoved?: true }

const KEYS = ['name', 'branch', 'commit', 'createdAtMs', 'expiresAtMs', 'readers', 'owner', 'isRemoved']
/** Something to show on one line: no control or invisible character. */
const BRANCH = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,255}$/u
const OWNER = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,1000}$/u
const COMMIT = /^[0-9a-f]{7,64}$/
const MAX_READERS = 1_000

/** Reads the list of previews; throws {@link ReleaseError} with every problem. */
export function readPreviewList(text: string): readonly ListedPreview[] {
  const shape = new ShapeReader()
  const root = shape.object(parseJson(text, 'the list of previews', shape), 'previews', ['previews'])
  const previews = shape.array(root.previews, 'previews').map((value) => readListed(value, shape))
  if (previews.length > MAX_PREVIEWS) shape.report('previews', problemOf('above_maximum', MAX_PREVIEWS))
  if (new Set(previews.map(({ name }) => name)).size < previews.length)
    shape.report('previews', problemOf('name_twice'))
  if (shape.problems.length > 0) throw new ReleaseError('preview_invalid', shape.problems)
  return previews
}

/** Throws {@link ReleaseError} for another owner's preview, and where the limit is reached. */
export function assertMayStand(preview: Preview, listed: readonly ListedPreview[]): void {
  const { name, owner } = preview
  const before = listed.find((one) => one.name === name)
  if (before?.owner !== undefined && before.owner !== owner)
    throw new ReleaseError('preview_taken', [problemOf('preview_taken', name)])
  const others = listed.filter((one) => one !== before)
  const isFull = others.length >= MAX_PREVIEWS
  const refs = others.filter(
    (one) => owner !== undefined && publisherOf(one.owner ?? '') === publisherOf(owner),
  )
  const own = refs.filter((one) => one.owner === owner)
  if (!isFull && own.length < MAX_PREVIEWS_OF_ONE && refs.length < MAX_PREVIEWS_OF_REPOSITORY) return
  const problem = isFull
    ? problemOf('previews_full', MAX_PREVIEWS)
    : problemOf('own_previews_full', Math.max(own.length, refs.length))
  throw new ReleaseError('previews_full', [problem])
}

/** An owner without the ref behind the issuer, name and id of a repository, which may have any number of refs. */
export const publisherOf = (owner: string): string => owner.split(' ', 3).join(' ')

/** The list as it is stored. */
export function writePreviewList(previews: readonly ListedPreview[]): Buffer<ArrayBuffer> {
  const sorted = previews.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return Buffer.from(`${JSON.stringify({ previews: sorted }, null, 1)}\n`)
}

/** Reads one description, as a publisher sends it; throws {@link ReleaseError} with every problem. */
export function readPreview(value: unknown): Preview {
  const shape = new ShapeReader()
  if (isRecord(value) && 'isRemoved' in value) shape.report('preview', problemOf('removed_key'))
  const preview = readListed(value, shape)
  if (shape.problems.length > 0) throw new ReleaseError('preview_invalid', shape.problems)
  return preview
}

function readListed(value: unknown, shape: ShapeReader): ListedPreview {
  const fields = shape.object(value, 'preview', KEYS)
  const name = shape.text(fields.name, 'name')
  if (!isPreviewName(name)) shape.report('name', problemOf('preview_name'))
  const createdAtMs = shape.count(fields.createdAtMs, 'createdAtMs')
  const expiresAtMs = shape.count(fields.expiresAtMs, 'expiresAtMs')
  const lifeMs = expiresAtMs - createdAtMs
  if (!(lifeMs > 0 && lifeMs <= MAX_PREVIEW_LIFE_MS)) shape.report('expiresAtMs', problemOf('preview_end'))
  if (fields.isRemoved !== undefined && fields.isRemoved !== true)
    shape.report('isRemoved', problemOf('must_be_true'))
  return {
    name,
    branch: shape.matching(fields.branch, 'branch', BRANCH, problemOf('branch')),
    commit: shape.matching(fields.commit, 'commit', COMMIT, problemOf('commit')),
    createdAtMs,
    expiresAtMs,
    ...(fields.readers !== undefined && { readers: readReaders(fields.readers, shape) }),
    ...(fields.owner !== undefined && {
      owner: shape.matching(fields.owner, 'owner', OWNER, problemOf('owner')),
    }),
    ...(fields.isRemoved === true && { isRemoved: true }),
  }
}

function readReaders(value: unknown, shape: ShapeReader): PreviewReaders {
  const fields = shape.object(value, 'readers', ['domains', 'emails'])
  const texts = (list: unknown, where: string) => {
    const found = shape.array(list, where).map((text) => shape.text(text, where))
    if (found.length > MAX_READERS) shape.report(where, problemOf('above_maximum', MAX_READERS))
    return found
  }
  return {
    domains: texts(fields.domains, 'readers.domains'),
    emails: texts(fields.emails, 'readers.emails'),
  }
}

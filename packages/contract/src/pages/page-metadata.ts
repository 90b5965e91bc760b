import { isRecord, type ShapeReader } from '../errors/json-shape.ts'
import { TEXTS } from '../texts/index.ts'
import { createMessages } from '../texts/language.ts'

const problemOf = createMessages(TEXTS, 'pageMetadata')

/** Metadata of one page in one edition, read from its HTML at packing. Absent fields were not given. */
export interface PageMetadata {
  /** BCP 47 tag of the page. */
  readonly lang?: string
  readonly description?: string
  /** Day of the last change, `YYYY-MM-DD`, where the page shows one. */
  readonly updated?: string
  /** Team or address responsible for the content. */
  readonly owner?: string
  /** Commit of the original that a translation was made from. */
  readonly source?: string
  /** Changes of the original since a translation was made. */
  readonly behind?: number
  /** Path of the original of a translation. */
  readonly translationOf?: string
  readonly status?: 'obsolete'
  /** Path of the page that replaces an obsolete one, in the same edition. */
  readonly replacedBy?: string
  /** Day the next review is due, or the interval after the last one (`180d`). */
  readonly review?: string
  /** Day of the last review. */
  readonly reviewed?: string
  /** Patterns of files in code repositories that the page describes. */
  readonly covers?: readonly string[]
  /** Revision as its author marks it; a new one asks for acknowledgement again. */
  readonly revision?: string
  readonly acknowledge?: AcknowledgementRequest
}

/** Acknowledgement that a page asks of its readers. */
export interface AcknowledgementRequest {
  /** Group of the access policy, or `all` for every reader of the page. */
  readonly audience: string
  /** Last day, `YYYY-MM-DD`. */
  readonly due: string
  readonly statement?: string
  /** `major`: again for each marked revision; `each`: again whenever the text changes. */
  readonly again: 'major' | 'each'
}

/** Audience of an acknowledgement that every reader of the page owes. */
export const EVERY_READER = 'all'

/** Longest description that is kept; a longer one is cut. */
export const MAX_DESCRIPTION_CHARS = 300
const MAX_COVERS = 50

const KEYS = [
  'lang',
  'description',
  'updated',
  'owner',
  'source',
  'behind',
  'translationOf',
  'status',
  'replacedBy',
  'review',
  'reviewed',
  'covers',
  'revision',
  'acknowledge',
]
const ACKNOWLEDGE_KEYS = ['audience', 'due', 'statement', 'again']

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,7}$/
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const DAY_MS = 86_400_000
const INTERVAL = /^[1-9]\d{0,3}d$/
const COMMIT = /^[0-9a-f]{7,64}$/
const GROUP = /^[a-z0-9][a-z0-9-]{0,39}$/
/** One line without control characters, neither empty nor padded. */
const line = (most: number) =>
  new RegExp(`^(?=.{1,${most}}$)[^\\p{Cc}\\s](?:[^\\p{Cc}]*[^\\p{Cc}\\s])?$`, 'u')
const OWNER = line(200)
const DESCRIPTION = line(MAX_DESCRIPTION_CHARS)
const STATEMENT = line(500)
const REVISION = line(40)
const PATTERN = line(200)
const PATH = /^\/[^\p{Cc}?#\\]{0,1000}$/u

/** Reads metadata from untrusted JSON; unknown keys are reported, every field is bounded. */
export function readPageMetadata(value: unknown, where: string, shape: ShapeReader): PageMetadata {
  const entry = shape.object(value, where, KEYS)
  const matching = (key: string, pattern: RegExp, what: Parameters<typeof problemOf>[0]) =>
    entry[key] === undefined
      ? {}
      : { [key]: shape.matching(entry[key], `${where} ${key}`, pattern, problemOf(what)) }
  return {
    ...matching('lang', LANGUAGE, 'language'),
    ...matching('description', DESCRIPTION, 'line'),
    ...matching('updated', DAY, 'day'),
    ...matching('owner', OWNER, 'line'),
    ...matching('source', COMMIT, 'commit'),
    ...(entry.behind !== undefined && {
      behind: shape.count(readNumber(entry.behind), `${where} behind`),
    }),
    ...matching('translationOf', PATH, 'path'),
    ...(entry.status !== undefined && {
      status: shape.oneOf(entry.status, `${where} status`, ['obsolete']),
    }),
    ...matching('replacedBy', PATH, 'path'),
    ...(entry.review !== undefined && { review: readReview(entry.review, where, shape) }),
    ...matching('reviewed', DAY, 'day'),
    ...(entry.covers !== undefined && { covers: readCovers(entry.covers, where, shape) }),
    ...matching('revision', REVISION, 'line'),
    ...(entry.acknowledge !== undefined && {
      acknowledge: readRequest(entry.acknowledge, `${where} acknowledge`, shape),
    }),
  }
}

/** Elements of pages hold text. */
const readNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value

function readReview(value: unknown, where: string, shape: ShapeReader): string {
  const isKnown = typeof value === 'string' && (INTERVAL.test(value) || DAY.test(value))
  return isKnown ? value : shape.matching(value, `${where} review`, /(?!)/, problemOf('review'))
}

function readCovers(value: unknown, where: string, shape: ShapeReader): readonly string[] {
  const patterns = shape.array(value, `${where} covers`)
  if (patterns.length > MAX_COVERS) shape.report(`${where} covers`, problemOf('too_many', MAX_COVERS))
  return patterns
    .slice(0, MAX_COVERS)
    .map((pattern) => shape.matching(pattern, `${where} covers`, PATTERN, problemOf('line')))
}

function readRequest(value: unknown, where: string, shape: ShapeReader): AcknowledgementRequest {
  const entry = shape.object(value, where, ACKNOWLEDGE_KEYS)
  return {
    audience: shape.matching(entry.audience, `${where}.audience`, GROUP, problemOf('group')),
    due: shape.matching(entry.due, `${where}.due`, DAY, problemOf('day')),
    ...(entry.statement !== undefined && {
      statement: shape.matching(entry.statement, `${where}.statement`, STATEMENT, problemOf('line')),
    }),
    again: shape.oneOf(entry.again ?? 'major', `${where}.again`, ['major', 'each']),
  }
}

/** Names of the `<meta>` elements that carry each field; `sekisho-covers` may stand several times. */
const META_NAMES = {
  owner: 'sekisho-owner',
  source: 'sekisho-source',
  behind: 'sekisho-behind',
  translationOf: 'sekisho-translation-of',
  status: 'sekisho-status',
  replacedBy: 'sekisho-replaced-by',
  review: 'sekisho-review',
  reviewed: 'sekisho-reviewed',
  covers: 'sekisho-covers',
  revision: 'sekisho-revision',
} as const
const REQUEST_META = 'sekisho-acknowledge'

/** One `<meta>` of a page. */
export interface Meta {
  readonly name: string
  readonly content: string
}

/** Tells if a `<meta>` of this name carries metadata of the page. */
export const isPageMeta = (name: string): boolean =>
  name.startsWith(REQUEST_META) || Object.values<string>(META_NAMES).includes(name)

/** The `<meta>` elements of a page that carry these fields; the rest is standard HTML. */
export function writeMetas({ acknowledge, ...page }: PageMetadata): readonly Meta[] {
  const fields = Object.entries(META_NAMES).flatMap(([key, name]) =>
    [page[key as keyof typeof META_NAMES] ?? []]
      .flat()
      .map((content) => ({ name, content: String(content) })),
  )
  const request = Object.entries(acknowledge ?? {}).map(([key, content]) => ({
    name: key === 'audience' ? REQUEST_META : `${REQUEST_META}-${key}`,
    content,
  }))
  return [...fields, ...request]
}

/** Untrusted fields as the `<meta>` elements of a page give them, for {@link readPageMetadata}. */
export function fieldsOfMetas(metas: readonly Meta[]): Readonly<Record<string, unknown>> {
  const valuesOf = (name: string) => metas.filter((meta) => meta.name === name).map((meta) => meta.content)
  const fields = Object.entries(META_NAMES).flatMap(([key, name]) => {
    const values = valuesOf(name)
    if (values.length === 0) return []
    return [[key, key === 'covers' ? values : values.length === 1 ? values[0] : values] as const]
  })
  const request = metas
    .filter(({ name }) => name.startsWith(REQUEST_META))
    .map(({ name, content }) => [name.slice(REQUEST_META.length + 1) || 'audience', content])
  return Object.fromEntries([
    ...fields,
    ...(request.length === 0 ? [] : [['acknowledge', Object.fromEntries(request)]]),
  ])
}

/** Front matter keys and the fields they fill. */
export const FRONT_MATTER_KEYS = {
  owner: 'owner',
  source: 'source',
  status: 'status',
  'replaced-by': 'replacedBy',
  review: 'review',
  reviewed: 'reviewed',
  covers: 'covers',
  revision: 'revision',
  acknowledge: 'acknowledge',
} as const

/**
 * Reads the metadata of a page from its front matter. Keys of other tools are left alone; shapes of ours are strict.
 * A `status` or `source` in other words belongs to another tool.
 */
export function readFrontMatterMetadata(
  frontMatter: Readonly<Record<string, unknown>>,
  shape: ShapeReader,
): PageMetadata {
  const fields = Object.entries(FRONT_MATTER_KEYS).flatMap(([key, field]) => {
    const value = frontMatter[key]
    if (value === undefined || value === null) return []
    if (key === 'status' && value !== 'obsolete') return []
    if (key === 'source' && !(typeof value === 'string' && COMMIT.test(value))) return []
    return [[field, plainValue(key === 'covers' && typeof value === 'string' ? [value] : value)] as const]
  })
  return readPageMetadata(Object.fromEntries(fields), 'front matter', shape)
}

/** YAML reads days as dates and short revisions as numbers. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (typeof value === 'number') return String(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]))
}

/** Tells if a text is a day such as `2026-04-01`. */
export const isDay = (text: string): boolean => DAY.test(text)

/** Day the review of a page is due; null where it asks for none. Days are compared as text. */
export function reviewDue({ review, reviewed, updated }: PageMetadata): string | null {
  if (review === undefined) return null
  if (!INTERVAL.test(review)) return reviewed !== undefined && reviewed >= review ? null : review
  const last = [reviewed, updated]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
  if (last === undefined) return null
  const due = new Date(Date.parse(last) + Number.parseInt(review, 10) * DAY_MS)
  return Number.isNaN(due.getTime()) ? null : due.toISOString().slice(0, 10)
}

/** Seconds after which a page that leads elsewhere has been read; a page shown for less only redirects its reader. */
const MAX_REDIRECT_SECONDS = 5

/** Target of a `refresh` element as written, by the HTML standard's own reading of its content; null for a page that loads itself again. */
export function readRefresh(
  content: string,
): { readonly target: string; readonly isRedirect: boolean } | null {
  const [, seconds = '', rest = ''] = /^(\d*)(?:\.[\d.]*)?[\s;,](.*)$/s.exec(content.trim()) ?? []
  const address = rest.replace(/^[\s;,]+/, '').replace(/^url\s*=\s*/i, '')
  const target = (/^(?:"([^"]*)|'([^']*))/.exec(address)?.slice(1).join('') ?? address).trim()
  return target === '' ? null : { target, isRedirect: Number(seconds) <= MAX_REDIRECT_SECONDS }
}

/** Length of a whole page that only redirects, as plugin-client-redirects writes them, and of what it says to its reader. */
export const MAX_REDIRECT_CHARS = 10_000
const MAX_NOTICE_CHARS = 200
/** A place to go to; its address, where it is written out but for query and fragment. */
const SCRIPTED =
  /\blocation(?:(?:\.href)?\s*=(?!=)|\.(?:replace|assign)\()\s*(?:(?:"([^"]+)"|'([^']+)')(?=\s*(?:[;)}\n]|$|\+.*?(?:hash|search|anchor|["'][#?]))))?/g

/** Signs of a script that may stay on its page, or go on later. */
const MAY_STAY = /\bif\s*\(|&&|\|\||\bfunction\b|=>/

/** The one target to which scripts of a page without a text or program of its own always lead; null for any other page. */
export function readScriptedRedirect(html: string): string | null {
  if (html.length > MAX_REDIRECT_CHARS || !html.includes('location')) return null
  const [first = '', ...others] = html.split(/<(?=(?:script|style|noscript)\b)/i)
  const parts = others.map((part) => part.split(/<\/(?:script|style|noscript)\b/i))
  const scripts = parts.flatMap(([own = '']) => (/^script/i.test(own) ? [own] : []))
  if (scripts.some((own) => MAY_STAY.test(own) || /\ssrc\s*=/i.test(own.split('>', 1)[0] ?? ''))) return null
  const found = scripts.join('\n').matchAll(SCRIPTED)
  const [target, ...rest] = new Set(Array.from(found, (groups) => groups[1] ?? groups[2] ?? ''))
  const shown = [first, ...parts.flatMap(([, ...after]) => after)].join(' ').replace(/<[^<>]*>/g, '')
  return !target || rest.length > 0 || shown.trim().length > MAX_NOTICE_CHARS ? null : target
}

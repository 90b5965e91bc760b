import type { Delivery } from '../../manifest.ts'

/** Response headers for a kind of file; the table is the whole policy, nothing is sniffed. */
export interface ContentType {
  readonly type: string
  readonly delivery: Delivery
  /** True for bytes that shrink: text does, pictures and archives are compressed already. */
  readonly compressible: boolean
}

const text = (type: string, delivery: Delivery = 'resource'): ContentType => ({
  type: `${type}; charset=utf-8`,
  delivery,
  compressible: true,
})
const packed = (type: string, delivery: Delivery = 'resource'): ContentType => ({
  type,
  delivery,
  compressible: false,
})
const plain = (type: string): ContentType => ({ type, delivery: 'resource', compressible: true })

/** A page of the site, as opposed to an attached HTML file. */
export const PAGE_TYPE: ContentType = text('text/html', 'page')

const UNKNOWN: ContentType = packed('application/octet-stream', 'download')

/** By extension. What could run script on the portal's origin is `isolated` or `download` (see {@link Delivery}). */
const TYPES: ReadonlyMap<string, ContentType> = new Map([
  ['html', text('text/html', 'download')],
  ['htm', text('text/html', 'download')],
  ['xhtml', text('application/xhtml+xml', 'download')],
  ['svg', text('image/svg+xml', 'isolated')],
  ['xml', text('application/xml', 'isolated')],
  ['xsl', text('application/xml', 'isolated')],
  ['rss', text('application/rss+xml', 'isolated')],
  ['atom', text('application/atom+xml', 'isolated')],
  ['pdf', packed('application/pdf', 'download')],
  ['js', text('text/javascript')],
  ['mjs', text('text/javascript')],
  ['css', text('text/css')],
  ['json', text('application/json')],
  ['webmanifest', text('application/manifest+json')],
  ['txt', text('text/plain')],
  ['md', text('text/markdown')],
  ['mdx', text('text/markdown')],
  ['csv', text('text/csv')],
  ['yaml', text('application/yaml')],
  ['yml', text('application/yaml')],
  ['vtt', text('text/vtt')],
  ['wasm', plain('application/wasm')],
  ['ttf', plain('font/ttf')],
  ['otf', plain('font/otf')],
  ['woff', packed('font/woff')],
  ['woff2', packed('font/woff2')],
  ['ico', plain('image/x-icon')],
  ['bmp', plain('image/bmp')],
  ['png', packed('image/png')],
  ['apng', packed('image/apng')],
  ['jpg', packed('image/jpeg')],
  ['jpeg', packed('image/jpeg')],
  ['gif', packed('image/gif')],
  ['webp', packed('image/webp')],
  ['avif', packed('image/avif')],
  ['mp4', packed('video/mp4')],
  ['webm', packed('video/webm')],
  ['mov', packed('video/quicktime')],
  ['mp3', packed('audio/mpeg')],
  ['m4a', packed('audio/mp4')],
  ['ogg', packed('audio/ogg')],
  ['wav', packed('audio/wav')],
  ['zip', packed('application/zip', 'download')],
  ['gz', packed('application/gzip', 'download')],
  ['tgz', packed('application/gzip', 'download')],
  ['docx', packed('application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'download')],
  ['xlsx', packed('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'download')],
  ['pptx', packed('application/vnd.openxmlformats-officedocument.presentationml.presentation', 'download')],
])

/** The kind of a file that is not a page, by the last extension of its name; an unknown one is only ever saved. */
export function contentTypeOf(name: string): ContentType {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return TYPES.get(extension) ?? UNKNOWN
}

const DELIVERIES: ReadonlyMap<string, ReadonlySet<Delivery>> = Map.groupBy(
  [PAGE_TYPE, UNKNOWN, ...TYPES.values()],
  ({ type }) => type,
)
  .entries()
  .reduce(
    (table, [type, kinds]) => table.set(type, new Set(kinds.map(({ delivery }) => delivery))),
    new Map<string, ReadonlySet<Delivery>>(),
  )

/** Tells if the table has a type delivered so; unknown types may only be saved. */
export function mayDeliver(type: string, delivery: Delivery): boolean {
  return DELIVERIES.get(type)?.has(delivery) ?? delivery === 'download'
}

const HASHED_NAME = /^\/assets\/(?:.*[./-])?([0-9a-f]{8,64})\.[a-z0-9]+$/
/**
 * Astro's own folder: nothing comes into it but under the hash of what it says, in eight characters of base64url; of pictures, of how
 * they were made too. The code blocks of every Starlight site have five.
 */
const ASTRO_NAME = /^\/_astro\/(?:(?:.*\.)?[\w-]{8}(?:_[\w-]+)?\.[a-z0-9]+|ec\.[a-z0-9]{5}\.(?:css|js))$/
/** Dates such as `report-20250401.pdf`, which are no hashes. */
const DATE = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/

/** Tells if browsers may keep a file for a year; never true for pages, whatever their name. */
export function mayBeKept(path: string, delivery: Delivery): boolean {
  return delivery !== 'page' && isHashedAsset(path)
}

/** Tells if a path names its content, so that it can never mean other bytes. */
export function isHashedAsset(path: string): boolean {
  const digest = HASHED_NAME.exec(path)?.[1]
  return (digest !== undefined && !DATE.test(digest)) || ASTRO_NAME.test(path)
}

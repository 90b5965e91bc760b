import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Edition, isReleaseId, loadManifest, type Manifest, type ReleaseFile } from '@sekisho/release'
import { readableText } from './page-diff.ts'

/** A page that is new, or whose text is another than before. */
export interface PageChange {
  readonly path: string
  readonly title: string
  readonly kind: 'new' | 'changed'
}

/** Changes between two releases. */
export interface PageChanges {
  /** At most `MAX_PAGES`, in the order of the release. */
  readonly pages: readonly PageChange[]
  /** Further changes that are not listed. */
  readonly more: number
}

/** Text of a page of one release. */
export interface PageText {
  readonly title: string
  /** The Markdown of the page, or the page itself where it has none. */
  readonly stored: Pick<ReleaseFile, 'sha256' | 'bytes'>
}

/** The pages of one edition of a release. */
export interface ReleasePages {
  readonly id: string
  readonly createdAt: string
  readonly texts: ReadonlyMap<string, PageText>
  /** Hashes of texts that other editions of the release hold at each path. */
  readonly elsewhere: ReadonlyMap<string, ReadonlySet<string>>
}

const MAX_PAGES = 200
/** Texts that differ are read up to this many, to tell changed words from changed addresses of files. */
const MAX_READ = 1_000
/** Longest text that is compared. */
export const MAX_TEXT_BYTES = 256 * 1024

/** Reads the pages of an edition; null where the release has none of this name for the same audiences. */
export async function readPages(
  releasesDir: string,
  id: string,
  edition: Pick<Edition, 'name' | 'audiences'>,
): Promise<ReleasePages | null> {
  const manifest = isReleaseId(id) ? await loadManifest(releasesDir, id).catch(() => null) : null
  const own = manifest?.editions.find(({ name }) => name === edition.name)
  const isSame = own !== undefined && own.audiences.join() === edition.audiences.join()
  if (manifest === null || !isSame) return null
  return { id, createdAt: manifest.createdAt, texts: textsOf(own), elsewhere: readElsewhere(manifest, own) }
}

function textsOf(edition: Edition): ReadonlyMap<string, PageText> {
  const texts = new Map<string, PageText>()
  for (const [path, file] of edition.files) {
    if (file.delivery !== 'page' || file.title === undefined || path === edition.notFound) continue
    const { title } = file
    const stored = edition.files.get(file.markdown ?? '')
    if (stored !== undefined) texts.set(path, { title, stored })
  }
  return texts
}

function readElsewhere(manifest: Manifest, own: Edition): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const edition of manifest.editions) {
    if (edition === own) continue
    for (const [path, { stored }] of textsOf(edition))
      found.set(path, (found.get(path) ?? new Set()).add(stored.sha256))
  }
  return found
}

/** Tells if a text is of a page made of others, such as those of a tag. */
const isListing = (markdown: string): boolean => /^---\n(?:(?!---)[^\n]*\n)*kind: "listing"\n/.test(markdown)

/** Lists the pages of `after` that are new or say something else than in `before`. Pages that are gone, and listings, are not named. */
export function comparePages(releasesDir: string, before: ReleasePages, after: ReleasePages): PageChanges {
  const pages: PageChange[] = []
  let more = 0
  let read = 0
  const isChanged = (path: string, { stored }: PageText): boolean => {
    const old = before.texts.get(path)
    if (old?.stored.sha256 === stored.sha256) return false
    if (read >= MAX_READ) return true
    read += 1
    const other = readText(releasesDir, after.id, { stored })
    if (other !== null && isListing(other)) return false
    const one = old === undefined ? null : readText(releasesDir, before.id, old)
    return one === null || other === null || readableText(one) !== readableText(other)
  }
  for (const [path, text] of after.texts) {
    if (!isChanged(path, text)) continue
    if (pages.length < MAX_PAGES)
      pages.push({ path, title: text.title, kind: before.texts.has(path) ? 'changed' : 'new' })
    else more += 1
  }
  return { pages, more }
}

/** Reads a stored text; null for one that is too long or not there any more. */
export function readText(
  releasesDir: string,
  id: string,
  { stored }: Pick<PageText, 'stored'>,
): string | null {
  if (stored.bytes > MAX_TEXT_BYTES) return null
  try {
    return readFileSync(join(releasesDir, id, 'files', stored.sha256), 'utf8')
  } catch {
    return null
  }
}

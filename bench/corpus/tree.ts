import { createPage, type Page } from './page.ts'
import { createRandom, type Random } from './random.ts'
import { AREAS } from './words.ts'

/** A folder of the corpus: pages first, then nested categories. */
export interface Category {
  slug: string
  label: string
  /** The category's own page; without one the site generates an index of its children. */
  index: Page | null
  pages: Page[]
  categories: Category[]
}

/** Readers scan a list of about this many entries; bigger categories are split into nested ones. */
const MAX_ENTRIES = 8

/** Builds the same tree of exactly `size` pages for the same seed and size. */
export function createCorpus({ size, seed = 1 }: { size: number; seed?: number }): Category {
  const random = createRandom(seed)
  const serial = { next: 1 }
  const root: Category = { slug: '', label: 'ドキュメント', index: null, pages: [], categories: [] }
  root.index = takePage(random, serial)
  fill(root, size - 1, random, serial)
  return root
}

function takePage(random: Random, serial: { next: number }): Page {
  const page = createPage(random, serial.next)
  serial.next += 1
  return page
}

function fill(category: Category, size: number, random: Random, serial: { next: number }): void {
  if (size <= MAX_ENTRIES) {
    category.pages = Array.from({ length: size }, () => takePage(random, serial))
    return
  }
  const count = Math.min(MAX_ENTRIES, Math.ceil(size / MAX_ENTRIES))
  for (let index = 0; index < count; index += 1) {
    const share = Math.floor(size / count) + (index < size % count ? 1 : 0)
    const label = `${random.pick(AREAS)} ${String.fromCharCode(65 + index)}`
    const hasPage = share > 1 && random.chance(0.5)
    const child: Category = { slug: `part-${index + 1}`, label, index: null, pages: [], categories: [] }
    if (hasPage) child.index = takePage(random, serial)
    fill(child, share - (hasPage ? 1 : 0), random, serial)
    category.categories.push(child)
  }
}

/** Visits every category, outermost first, with the path of folders that leads to it. */
export function* walk(
  category: Category,
  path: readonly string[] = [],
): Generator<{ category: Category; path: readonly string[] }> {
  yield { category, path }
  for (const child of category.categories) yield* walk(child, [...path, child.slug])
}

/** Every page of the corpus with its address below the docs root, in reading order. */
export function listPages(root: Category): { page: Page; address: string }[] {
  const pages: { page: Page; address: string }[] = []
  for (const { category, path } of walk(root)) {
    if (category.index !== null) pages.push({ page: category.index, address: path.join('/') })
    for (const page of category.pages) pages.push({ page, address: [...path, page.slug].join('/') })
  }
  return pages
}

/** Address of a page as deep in the tree as any: the place where a sidebar shows most. */
export function findDeepPage(root: Category): string {
  const own = listPages(root).filter(({ page, address }) => address.endsWith(page.slug))
  const deepest = Math.max(...own.map(({ address }) => address.split('/').length))
  return own.find(({ address }) => address.split('/').length === deepest)?.address ?? ''
}

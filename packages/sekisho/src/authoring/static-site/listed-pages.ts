/** Files whose text may list pages: indexes of a generator's search, feeds, maps of a site. */
export const mayListPages = (name: string): boolean =>
  /\.(?:[cm]?js|map|json\w*|webmanifest|xml|rss|atom|txt|md|rst|csv|tsv|ya?ml|toml)$/i.test(name)

const WORD = /[^\s"'`<>()[\]{},;|\\]{1,2000}/g
const MAX_DEPTH = 16

/**
 * Makes the reader of lists: it finds pages by path, as part of an address too, with or without ending, and as VitePress names their modules.
 * A page at the top is found by its name without ending and slash only in a file that names most pages: such a name may be any word.
 */
export function createListReader(pages: readonly string[]): (text: string) => readonly string[] {
  const paths = new Map<string, string>()
  const words = new Map<string, string>()
  for (const page of pages) {
    const name = plain(page)
    const stem = name.replace(/\.[^./]+$/, '')
    const folder = stem.replace(/(?:^|\/)index$/, '')
    paths.set(name, page)
    paths.set(`${stem}.md`, page).set(`${stem.replaceAll('/', '_')}.md`, page)
    for (const one of [stem, folder]) {
      if (one === '') continue
      const known = one.includes('/') ? paths : words
      known.set(one, page)
      paths.set(`/${one}`, page).set(`${one}/`, page)
    }
  }

  return (text) => {
    const found = new Set<string>()
    const named = new Set<string>()
    for (const [word] of text.replace(/\\(?:\/|u002f)/gi, '/').matchAll(WORD)) {
      const path = plain(word.replace(/[?#].*/, ''))
      const isAddress = path.includes('://')
      named.add(words.get(path) ?? '')
      for (let at = 0, depth = 0; depth < MAX_DEPTH; depth += 1) {
        const page = paths.get(path.slice(at)) ?? (isAddress ? paths.get(path.slice(at - 1)) : undefined)
        if (page !== undefined) found.add(page)
        at = path.indexOf('/', at) + 1
        if (at === 0) break
      }
    }
    named.delete('')
    const all = new Set([...found, ...named])
    return [...(all.size > pages.length / 2 ? all : found)]
  }
}

function plain(path: string): string {
  const lower = path.normalize('NFC').toLowerCase()
  try {
    return decodeURIComponent(lower).normalize('NFC')
  } catch {
    return lower
  }
}

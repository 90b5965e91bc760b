import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A page of a search corpus, in the format of `search:eval`. */
export interface CorpusPage {
  readonly id: string
  readonly title: string
  /** Heading, its level (0: the page's own), anchor and text of each section. */
  readonly sections: readonly {
    readonly h: string
    readonly l: number
    readonly a: string
    readonly t: string
  }[]
}

/** Writes a corpus as a folder of HTML with so many pages: where it has fewer, its first ones stand there again. */
export async function writeCorpus(pages: readonly CorpusPage[], count: number, to: string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const page = pages[n % pages.length]
    if (page === undefined) throw new RangeError('a corpus without pages')
    const again = n < pages.length ? '' : `again-${Math.floor(n / pages.length)}`
    const file = join(to, again, `${page.id}.html`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, htmlOf(page))
  }
}

function htmlOf({ title, sections }: CorpusPage): string {
  const blocks = sections.flatMap(({ h, l, a, t }) => {
    const level = Math.min(6, Math.max(2, l))
    const heading = l === 0 ? [] : [`<h${level} id="${escapeHtml(a)}">${escapeHtml(h)}</h${level}>`]
    return [...heading, ...t.split('\n').map((line) => `<p>${escapeHtml(line)}</p>`)]
  })
  const head = `<meta charset="utf-8"><title>${escapeHtml(title)}</title>`
  return `<!doctype html><html lang="ja"><head>${head}</head><body><main><h1>${escapeHtml(title)}</h1>${blocks.join('\n')}</main></body></html>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { prepareFolder } from '../../packages/sekisho/src/authoring/static-site/prepare-folder.ts'

/**
 * Packs the Markdown below a folder as a release, and returns the folder of its releases. Pages whose paths begin with one of `hidden`
 * are in an edition of their own.
 */
export async function packMarkdown(
  folder: string,
  work: string,
  hidden: readonly string[] = [],
): Promise<string> {
  const isShown = (name: string) => !hidden.some((start) => name.startsWith(start))
  const editions = [
    ...(hidden.length === 0 ? [] : [{ name: 'staff', audiences: ['staff'], isWanted: () => true }]),
    { name: 'everyone', audiences: [], isWanted: isShown },
  ]
  const built = editions.map(({ name, audiences }) => ({ name, audiences, buildDir: join(work, name) }))
  for (const [at, { buildDir }] of built.entries()) {
    await writeHtml(folder, buildDir, editions[at]?.isWanted, hidden.length === 0)
    const options = { cacheDir: join(work, 'cache'), vocabulary: { words: [], synonyms: [] } }
    await prepareFolder(buildDir, { baseUrl: '/' }, options)
  }
  const dataDir = join(work, 'data')
  await packRelease({ editions: built, dataDir, clock: Date.now })
  return releasesDirOf(dataDir)
}

/** Writes the Markdown below a folder as plain HTML pages: a stranger's documentation without its generator. */
export async function writeHtml(
  from: string,
  to: string,
  isWanted = (_name: string) => true,
  hasLinks = true, // an edition may not link to pages that it lacks
): Promise<void> {
  const names = await readdir(from, { recursive: true })
  for (const name of names.filter(
    (one) => one.endsWith('.md') && !/(?:^|\/)(?:\.|README|CONTRIB)/.test(one) && isWanted(one),
  )) {
    const target = join(to, name.replace(/\.md$/, '.html'))
    await mkdir(dirname(target), { recursive: true })
    const html = pageOf(await readFile(join(from, name), 'utf8'))
    await writeFile(target, hasLinks ? html : html.replace(/<\/?a\b[^>]*>/g, ''))
  }
}

function pageOf(markdown: string): string {
  const lines = markdown.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n')
  let title = ''
  let fence = ''
  let code: string[] = []
  const blocks: string[] = []
  for (const line of lines) {
    const mark = /^ *(`{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') {
      fence = mark
      code = []
    } else if (fence !== '' && mark.length >= fence.length) {
      fence = ''
      blocks.push(`<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`)
    } else if (fence !== '') code.push(line)
    else {
      const [, signs = '', text = '', id = ''] = /^(#{1,6}) (.*?)(?: \{#([^}]+)\})?$/.exec(line) ?? []
      if (signs === '#' && title === '') title = text
      if (signs !== '')
        blocks.push(`<h${signs.length} id="${id || anchorOf(text)}">${inline(text)}</h${signs.length}>`)
      else if (line.trim() !== '' && !line.startsWith(':::')) blocks.push(`<p>${inline(line)}</p>`)
    }
  }
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><main>${blocks.join('\n')}</main></body></html>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const anchorOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')

function inline(text: string): string {
  return escapeHtml(text.replace(/<Badge[^>]*>/g, ''))
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
}

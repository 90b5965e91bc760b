import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes the Markdown below a folder as plain HTML pages: a stranger's documentation without its generator. */
export async function writeHtml(from: string, to: string): Promise<void> {
  const names = await readdir(from, { recursive: true })
  for (const name of names.filter(
    (one) => one.endsWith('.md') && !/(?:^|\/)(?:\.|README|CONTRIB)/.test(one),
  )) {
    const target = join(to, name.replace(/\.md$/, '.html'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, pageOf(await readFile(join(from, name), 'utf8')))
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

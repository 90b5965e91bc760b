const { createHash } = process.getBuiltinModule('node:crypto')
const { mkdir, readFile, writeFile } = process.getBuiltinModule('node:fs/promises')

/** What Docusaurus' server entry answers for a page; JSON as long as its legacy `head` is left out. */
export interface Rendered {
  html: string
  collectedData: object
}

/** The page as it was rendered under the same key; null when there is none, or not all of it. */
export async function findRendered(dir: string, pathname: string, key: string): Promise<Rendered | null> {
  const text = await readFile(keptFile(dir, pathname), 'utf8').catch(() => '')
  const [head = '', data = ''] = text.split('\n', 2)
  const html = text.slice(head.length + data.length + 2)
  return head === headOf(key, data, html) ? { html, collectedData: JSON.parse(data) } : null
}

/** Keeps a page in place of what was kept of it before; the HTML as it is, since making it JSON takes longer. */
export async function keepRendered(
  dir: string,
  pathname: string,
  { key, rendered: { html, collectedData } }: { key: string; rendered: Rendered },
): Promise<void> {
  const data = JSON.stringify(collectedData)
  const text = `${headOf(key, data, html)}\n${data}\n${html}`
  await writeFile(keptFile(dir, pathname), text).catch(async () => {
    await mkdir(dir, { recursive: true })
    await writeFile(keptFile(dir, pathname), text)
  })
}

/** A build that is killed may leave half a page, so a page says what it must be. */
function headOf(key: string, data: string, html: string): string {
  return `${key} ${createHash('sha256').update(data).update(html).digest('hex')}`
}

/** File of an address. One for each, so that a site keeps as many as it has pages. */
export function keptFile(dir: string, pathname: string): string {
  return `${dir}/${createHash('sha256').update(pathname).digest('hex').slice(0, 32)}`
}

const { createHash } = process.getBuiltinModule('node:crypto')
const { mkdir, readFile, rename, writeFile } = process.getBuiltinModule('node:fs/promises')

/** What Docusaurus' server entry answers for a page; JSON as long as its legacy `head` is left out. */
export interface Rendered {
  html: string
  collectedData: object
}

/** The page as it was rendered under the same key; null when there is none that can be read. */
export async function findRendered(dir: string, pathname: string, key: string): Promise<Rendered | null> {
  const text = await readFile(keptFile(dir, pathname), 'utf8').catch(() => '')
  if (!text.startsWith(`${key}\n`)) return null
  try {
    return JSON.parse(text.slice(key.length + 1)) as Rendered
  } catch {
    return null
  }
}

/** Keeps a page in place of what was kept of it before. */
export async function keepRendered(
  dir: string,
  pathname: string,
  { key, rendered }: { key: string; rendered: Rendered },
): Promise<void> {
  const file = keptFile(dir, pathname)
  await mkdir(dir, { recursive: true })
  // A build that is killed leaves a temporary file, never half a page.
  await writeFile(`${file}.new`, `${key}\n${JSON.stringify(rendered)}`)
  await rename(`${file}.new`, file)
}

/** File of an address. One for each, so that a site keeps as many as it has pages. */
export function keptFile(dir: string, pathname: string): string {
  return `${dir}/${createHash('sha256').update(pathname).digest('hex').slice(0, 32)}`
}

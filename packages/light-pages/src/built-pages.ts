import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The HTML files of a build. A folder may be named like one: plugin-client-redirects writes `contact.html/index.html`. */
export async function findBuiltPages(outDir: string): Promise<readonly string[]> {
  const entries = await readdir(outDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.html$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
}

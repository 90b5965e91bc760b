import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const MANIFEST = /<link\b(?=[^>]*\brel=["']?manifest\b)(?![^>]*\bcrossorigin\b)/gi

/**
 * Browsers fetch a manifest without cookies unless its link tells otherwise, and the gate would refuse it. The config, plugins and
 * pages themselves may bring such links, so they are looked for in the pages of a build.
 */
export async function sendCookiesForManifests(outDir: string): Promise<void> {
  const names = await readdir(outDir, { recursive: true })
  for (const name of names.filter((one) => one.endsWith('.html'))) {
    const file = path.join(outDir, name)
    const html = await readFile(file, 'utf8')
    const told = withCookies(html)
    if (told !== html) await writeFile(file, told)
  }
}

/** The page with `crossorigin="use-credentials"` on its links to a manifest. */
export const withCookies = (html: string): string =>
  html.replace(MANIFEST, '$& crossorigin="use-credentials"')

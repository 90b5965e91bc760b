import { readFile, writeFile } from 'node:fs/promises'
import { findBuiltPages } from '@sekisho/light-pages'

const MANIFEST = /<link\b(?=[^>]*\brel=["']?manifest\b)(?![^>]*\bcrossorigin\b)/gi

/**
 * Browsers fetch a manifest without cookies unless its link tells otherwise, and the gate would refuse it. The config, plugins and
 * pages themselves may bring such links, so they are looked for in the pages of a build.
 */
export async function sendCookiesForManifests(outDir: string): Promise<void> {
  for (const file of await findBuiltPages(outDir)) {
    const html = await readFile(file, 'utf8')
    const told = withCookies(html)
    if (told !== html) await writeFile(file, told)
  }
}

/** The page with `crossorigin="use-credentials"` on its links to a manifest. */
export const withCookies = (html: string): string =>
  html.replace(MANIFEST, '$& crossorigin="use-credentials"')

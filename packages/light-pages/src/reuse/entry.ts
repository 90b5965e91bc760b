import original from '@docusaurus/core/lib/client/serverEntry.js'
import { dir, keptPagesDir } from '@generated/light-pages/server'
import { readStart } from '@light-pages/pages'
import type { ServerCode } from './server-code.ts'

const { hash } = globalThis.process.getBuiltinModule('node:crypto')
const { readFileSync } = globalThis.process.getBuiltinModule('node:fs')
const { mkdir, readFile, writeFile } = globalThis.process.getBuiltinModule('node:fs/promises')

interface RenderParams {
  pathname: string
  /** False in Docusaurus 3 without `future.v4`: then what rendering returns has functions in it. */
  v4RemoveLegacyPostBuildHeadAttribute?: boolean
}

/** Result of Docusaurus' server entry for a page. */
interface Rendered {
  html: string
  collectedData: object
}

const render: (params: RenderParams) => Promise<Rendered> = original

/** Docusaurus' server entry, which returns a page of the previous build when nothing it is made of has changed. */
export default async function renderOnce(params: RenderParams): Promise<Rendered> {
  const { pathname, v4RemoveLegacyPostBuildHeadAttribute: isJson = true } = params
  const key = isJson ? keyOf(pathname) : null
  if (key === null || keptPagesDir === null) return render(params)
  // One file for each address, so that a site keeps as many as it has pages.
  const file = `${keptPagesDir}/${hash('sha256', pathname).slice(0, 32)}`
  const kept = parseKept(await readFile(file, 'utf8').catch(() => ''))
  if (kept?.key === key) return kept.rendered
  const rendered = await render(params)
  await mkdir(keptPagesDir, { recursive: true })
  await writeFile(file, JSON.stringify({ key, rendered }))
  return rendered
}

/** Null for no file, and for half a one of a build that was killed. */
function parseKept(text: string): { key: string; rendered: Rendered } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

let serverCode: ServerCode | null = null

/** Of all that rendering a page reads: the code, its record and the sidebar it shows. Null when that cannot be known. */
function keyOf(pathname: string): string | null {
  serverCode ??= JSON.parse(readFileSync(`${dir}/server-code.json`, 'utf8')) as ServerCode
  const { shared, pages } = serverCode
  const own = pages[pathname] ?? null
  if (shared === null || own === null) return null
  return hash('sha256', JSON.stringify([shared, own, pathname, readStart(pathname)]))
}

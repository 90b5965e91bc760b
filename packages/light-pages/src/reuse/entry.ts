import original from '@docusaurus/core/lib/client/serverEntry'
import { dir, keptPagesDir } from '@generated/light-pages/server'
import { readStart } from '@light-pages/pages'
import { findRendered, keepRendered, type Rendered } from './rendered-pages.ts'
import type { ServerCode } from './server-code.ts'

const { createHash } = process.getBuiltinModule('node:crypto')
const { readFileSync } = process.getBuiltinModule('node:fs')

interface RenderParams {
  pathname: string
  /** Without the legacy `head`, which is made of functions, what rendering answers is JSON. */
  v4RemoveLegacyPostBuildHeadAttribute: boolean
}

const render: (params: RenderParams) => Promise<Rendered> = original

/** Docusaurus' server entry, which answers a page from the build before when nothing it is made of has changed. */
export default async function renderOnce(params: RenderParams): Promise<Rendered> {
  const { pathname } = params
  const key = params.v4RemoveLegacyPostBuildHeadAttribute ? keyOf(pathname) : null
  if (key === null || keptPagesDir === null) return render(params)
  const kept = await findRendered(keptPagesDir, pathname, key)
  if (kept !== null) return kept
  const rendered = await render(params)
  await keepRendered(keptPagesDir, pathname, { key, rendered })
  return rendered
}

let serverCode: ServerCode | null = null

/** Of all that rendering a page reads: the code, its record and the sidebar it shows. Null when that cannot be known. */
function keyOf(pathname: string): string | null {
  serverCode ??= JSON.parse(readFileSync(`${dir}/server-code.json`, 'utf8')) as ServerCode
  const { shared, pages } = serverCode
  const own = pages[pathname] ?? null
  if (shared === null || own === null) return null
  const inputs = [shared, own, pathname, readStart(pathname)]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

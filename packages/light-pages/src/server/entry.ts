import original from '@docusaurus/core/lib/client/serverEntry'
import { keyPage } from './page-key.ts'
import { findRendered, keepRendered, type Rendered } from './rendered-pages.ts'
import { findPage, keptPages, readServerCode, startPage } from './site-files.ts'

interface RenderParams {
  pathname: string
  /** Without the legacy `head`, which is made of functions, what rendering answers is JSON. */
  v4RemoveLegacyPostBuildHeadAttribute: boolean
}

const render: (params: RenderParams) => Promise<Rendered> = original

/** Docusaurus' server entry, which answers a page from the build before when nothing it is made of has changed. */
export default async function renderOnce(params: RenderParams): Promise<Rendered> {
  const key = params.v4RemoveLegacyPostBuildHeadAttribute ? keyOf(params.pathname) : null
  if (key === null || keptPages === null) return render(params)
  const kept = await findRendered(keptPages, params.pathname, key)
  if (kept !== null) return kept
  const rendered = await render(params)
  await keepRendered(keptPages, params.pathname, { key, rendered })
  return rendered
}

function keyOf(pathname: string): string | null {
  const page = findPage(pathname)
  return page === undefined
    ? null
    : keyPage(pathname, { page, start: startPage(page), code: readServerCode() })
}

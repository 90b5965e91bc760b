import type { CoveringPage, CoveringPages } from '@sekisho/contract/covering-pages'
import type { ReleaseFile } from '@sekisho/release'
import { visibleText } from './page-text.ts'

/** Characters of all pages of one answer; the rest are counted. */
const MAX_CHARS = 1_000_000

/** Pages of an edition that name files of code repositories, in order of their paths. */
export function listCoveringPages({
  files,
}: {
  readonly files: ReadonlyMap<string, Pick<ReleaseFile, 'title' | 'page'>>
}): CoveringPages {
  const pages: CoveringPage[] = []
  let chars = 0
  let more = 0
  for (const [path, { title = path, page }] of files) {
    if (page?.covers === undefined || page.status === 'obsolete') continue
    const { covers, owner } = page
    const one = {
      path,
      title: visibleText(title),
      owner: owner === undefined ? null : visibleText(owner),
      covers,
    }
    chars += JSON.stringify(one).length
    if (chars > MAX_CHARS) more += 1
    else pages.push(one)
  }
  return { pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)), more }
}

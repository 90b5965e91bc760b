import type { ServedEdition } from '../../kernel/reader.ts'
import { urlOf } from './find-page.ts'
import { visibleText } from './page-text.ts'

/** A page, or a folder with the number of pages in it. */
export interface Listed {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly pages?: number
}

/** So many pages are named one by one; more of them by their folders. */
const MAX_NAMED = 60
const MAX_LISTED = 200

/** Lists the entries below a path; none below an unknown one. `more` is the number of omitted entries. */
export function listBelow({ edition }: ServedEdition, path: string, origin: URL) {
  const names = path.replace(/^https?:\/\/[^/]*/i, '').split('/')
  const folder = ['', ...names.filter((name) => name !== ''), ''].join('/').normalize('NFC')
  const below: Listed[] = []
  for (const [id, { markdown, title }] of edition.files)
    if (markdown !== undefined && (id.startsWith(folder) || `${id}/` === folder))
      below.push({ id, title: visibleText(title ?? id), url: urlOf({ path: id, anchor: '' }, origin) })
  const entries = below.length <= MAX_NAMED ? below : byFolder(below, folder)
  const more = Math.max(0, entries.length - MAX_LISTED)
  return { path: folder, results: entries.slice(0, MAX_LISTED), more }
}

function byFolder(pages: readonly Listed[], folder: string): readonly Listed[] {
  const groups = Map.groupBy(pages, ({ id }) => {
    const [name = '', ...rest] = id.slice(folder.length).split('/')
    return rest.join('') === '' ? '' : `${folder}${name}/`
  })
  return [...groups].flatMap(([name, group]) =>
    name === '' || group.length === 1 ? group : [{ id: name, title: name, pages: group.length }],
  )
}

import globalData from '@generated/globalData'
import type { GlobalDoc } from '../model.ts'

interface Version {
  name: string
  docs: GlobalDoc['doc'][]
}

/** More than the pages that are rendered at the same time (32), few enough to search on every render. */
const MAX_PAGES = 40

const added: [version: Version, doc: GlobalDoc['doc']][][] = []

/**
 * Adds the documents of a page about to be rendered to the docs plugin's global data, where the theme finds the active one. Those of
 * earlier pages stay.
 */
export function addGlobalDocs(docs: readonly GlobalDoc[]): void {
  const plugins = (globalData as { [plugin: string]: { [id: string]: { versions: Version[] } } })[
    'docusaurus-plugin-content-docs'
  ]
  const entered: (typeof added)[number] = []
  for (const { plugin, version, doc } of docs) {
    const target = plugins?.[plugin]?.versions.find(({ name }) => name === version)
    const known = target?.docs.find(({ id }) => id === doc.id)
    if (target === undefined || (known !== undefined && known.sidebar === doc.sidebar)) continue
    // Shown beside another sidebar than the last time.
    if (known !== undefined) target.docs.splice(target.docs.indexOf(known), 1)
    target.docs.push(doc)
    entered.push([target, doc])
  }
  if (entered.length > 0) added.push(entered)
  while (added.length > MAX_PAGES) {
    for (const [version, old] of added.shift() ?? []) version.docs = version.docs.filter((doc) => doc !== old)
  }
}

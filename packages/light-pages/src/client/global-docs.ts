import globalData from '@generated/globalData'
import type { GlobalDoc } from '../wire.ts'

interface Version {
  name: string
  docs: GlobalDoc['doc'][]
}

const added: [version: Version, doc: GlobalDoc['doc']][][] = []

/**
 * Enters a page's documents into the docs plugin's global data, from which the theme finds the active one. Those of the
 * last `maxPages` pages stay: more than are ever rendered at the same time, few enough to search on every render.
 */
export function addGlobalDocs(docs: readonly GlobalDoc[], maxPages: number): void {
  const plugins = (globalData as { [plugin: string]: { [id: string]: { versions: Version[] } } })[
    'docusaurus-plugin-content-docs'
  ]
  const entered: (typeof added)[number] = []
  for (const { plugin, version, doc } of docs) {
    const target = plugins?.[plugin]?.versions.find(({ name }) => name === version)
    if (target === undefined || target.docs.some(({ id }) => id === doc.id)) continue
    target.docs.push(doc)
    entered.push([target, doc])
  }
  if (entered.length > 0) added.push(entered)
  while (added.length > maxPages) {
    for (const [version, old] of added.shift() ?? []) version.docs = version.docs.filter((doc) => doc !== old)
  }
}

import globalData from '@generated/globalData'
import type { GlobalDoc } from '../wire.ts'

interface Version {
  name: string
  docs: GlobalDoc['doc'][]
}

/** More than are ever rendered at the same time, few enough to search on every render. */
const MAX_ADDED = 128

const added: [version: Version, doc: GlobalDoc['doc']][] = []

/** Enters a page's documents into the docs plugin's global data, from which the theme finds the active one. */
export function addGlobalDocs(docs: readonly GlobalDoc[]): void {
  const plugins = (globalData as { [plugin: string]: { [id: string]: { versions: Version[] } } })[
    'docusaurus-plugin-content-docs'
  ]
  for (const { plugin, version, doc } of docs) {
    const target = plugins?.[plugin]?.versions.find(({ name }) => name === version)
    if (target === undefined || target.docs.some(({ id }) => id === doc.id)) continue
    target.docs.push(doc)
    added.push([target, doc])
  }
  while (added.length > MAX_ADDED) {
    const [oldest] = added.splice(0, 1)
    if (oldest !== undefined) oldest[0].docs = oldest[0].docs.filter((doc) => doc !== oldest[1])
  }
}

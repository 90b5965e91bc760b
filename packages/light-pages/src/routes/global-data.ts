import { type GlobalDoc, type Json, pathKey } from './model.ts'

/** The docs plugin's name in the global data. */
const DOCS_PLUGIN = 'docusaurus-plugin-content-docs'

interface DocsInstance {
  versions: { name: string; mainDocId: string; docs: GlobalDoc['doc'][] }[]
}

type GlobalData = { [plugin: string]: Json }

function listInstances(globalData: GlobalData): [plugin: string, data: DocsInstance][] {
  return Object.entries((globalData[DOCS_PLUGIN] ?? {}) as unknown as { [id: string]: DocsInstance })
}

/** By address: the document there, and the same document in other versions (the version menu links to those). */
export function listGlobalDocs(globalData: GlobalData): Map<string, GlobalDoc[]> {
  const byPath = new Map<string, GlobalDoc[]>()
  for (const [plugin, { versions }] of listInstances(globalData)) {
    const byId = new Map<string, GlobalDoc[]>()
    for (const { name, docs } of versions) {
      for (const doc of docs) byId.set(doc.id, [...(byId.get(doc.id) ?? []), { plugin, version: name, doc }])
    }
    for (const same of byId.values()) {
      for (const own of same)
        byPath.set(pathKey(own.doc.path), [own, ...same.filter((other) => other !== own)])
    }
  }
  return byPath
}

/** Leaves of each version's list only what the site's navbar and footer name; pages bring their own entry. */
export function trimGlobalData(globalData: GlobalData, themeConfig: Json): GlobalData {
  const named = new Set<string>()
  collectDocIds(themeConfig, named)
  const trimmed: { [id: string]: Json } = {}
  for (const [plugin, data] of listInstances(globalData)) {
    const versions = data.versions.map((version) => ({
      ...version,
      docs: version.docs.filter(({ id }) => id === version.mainDocId || named.has(id)),
    }))
    trimmed[plugin] = { ...data, versions } as unknown as Json
  }
  return globalData[DOCS_PLUGIN] === undefined ? globalData : { ...globalData, [DOCS_PLUGIN]: trimmed }
}

/** Messages that only a draft's page shows, which a build leaves out. */
const OF_DRAFTS = /^theme\.contentVisibility\.draftBanner\./
/** Messages that only sites with several versions show. */
const OF_VERSIONS = /^theme\.(?:docs\.version|navbar\.mobileVersions)/

/** Leaves of the theme's messages, which every page brings, those that no page of this site shows. */
export function trimMessages(
  messages: { readonly [id: string]: string },
  globalData: GlobalData,
): { [id: string]: string } {
  const hasVersions = listInstances(globalData).some(([, { versions }]) => versions.length > 1)
  const isShown = (id: string): boolean => !OF_DRAFTS.test(id) && (hasVersions || !OF_VERSIONS.test(id))
  return Object.fromEntries(Object.entries(messages).filter(([id]) => isShown(id)))
}

function collectDocIds(value: Json, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === 'docId' && typeof child === 'string') into.add(child)
    else collectDocIds(child, into)
  }
}

import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import type { Page, Plan } from '../plan/make-plan.ts'
import { type ModuleNames, mapTree } from '../plan/name-modules.ts'
import type { PageRecord } from '../wire.ts'
import type { ClientBuild } from './flat-bundler-plugin.ts'

/** A record, and the scripts a prerendered page asks for at once so that no script has to name another. */
export interface BuiltPage {
  record: PageRecord
  scripts: string[]
}

/** Joins the plan with where the bundler put things. */
export function makeRecords(plan: Plan, names: ModuleNames, build: ClientBuild): BuiltPage[] {
  return plan.pages.map((page) => makeRecord(page, { plan, names, build }))
}

function makeRecord(
  page: Page,
  { plan, names, build }: { plan: Plan; names: ModuleNames; build: ClientBuild },
): BuiltPage {
  const needed = new Set<string>()
  const place = (key: string): string => {
    const placement = build.placements.get(key)
    if (placement === undefined) throw new DocusaurusChangedError(`the bundle has no module for ${key}`)
    for (const chunk of placement.chunks) needed.add(chunk)
    return `${placement.module}:${placement.chunks.join(',')}`
  }
  const { __comp, __context, ...own } = page.modules
  const modules = mapTree(own, place) as { [key: string]: string }
  const ownChunks = [...needed]
  for (const index of page.layouts)
    place(`~${names.components.get(String(plan.layouts[index]?.modules.__comp)) ?? ''}`)
  const component = `~${names.components.get(String(__comp)) ?? ''}`
  place(component)
  const context =
    __context === undefined
      ? {}
      : { __context: mapTree(__context, (request) => `~${names.contexts.get(request) ?? ''}`) }
  const { key, modules: _requests, ...info } = page
  // A chunk of styles only has no script: the runtime knows it, and the page links its style sheet.
  const files: { [chunk: string]: string } = {}
  for (const chunk of ownChunks) {
    const file = build.files.get(chunk)
    if (file !== undefined) files[chunk] = file
  }
  const record: PageRecord = { ...info, modules: { __comp: component, ...context, ...modules }, files }
  return { record, scripts: [...needed].flatMap((chunk) => build.files.get(chunk) ?? []) }
}

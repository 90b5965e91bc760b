import type { Tools } from '../options.ts'

export type { Tools }

/** Names of plugins that do what a tool of ours does. */
const CONFLICTING: Readonly<Record<keyof Tools, RegExp>> = {
  feedback: /feedback|helpful/,
  markdown: /copy-page|page-actions|copy-markdown/,
  zoom: /image-zoom|medium-zoom|lightbox|zooming|glightbox/,
}

interface NamesPlugins {
  readonly plugins?: unknown
  readonly themes?: unknown
}

/** Names of the tools that one of the site's plugins provides already, such as zoomed pictures. */
export function findConflictingTools({ plugins, themes }: NamesPlugins): readonly string[] {
  const names = [plugins, themes].flatMap(listNames)
  return Object.entries(CONFLICTING).flatMap(([tool, plugin]) =>
    names.some((name) => plugin.test(name)) ? tool : [],
  )
}

/** The tools that no plugin brings already. */
export function withoutConflictingTools(tools: Tools, config: NamesPlugins): Tools {
  return { ...tools, ...Object.fromEntries(findConflictingTools(config).map((tool) => [tool, false])) }
}

/** Plugins by name, alone or with their options. */
export function listNames(entries: unknown): string[] {
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const name: unknown = Array.isArray(entry) ? entry[0] : entry
    return typeof name === 'string' ? [name] : []
  })
}

import type { Tools } from '../options.ts'

export type { Tools }

/** Names of plugins that do what a tool of ours does. */
const TWINS: Readonly<Record<keyof Tools, RegExp>> = {
  opinions: /feedback|helpful/,
  markdown: /copy-page|page-actions|copy-markdown/,
  zoom: /image-zoom|medium-zoom|lightbox|zooming|glightbox/,
}

/** The tools that no plugin of the site brings already: two pictures that grow over each other help nobody. */
export function withoutTwins(tools: Tools, config: { plugins?: unknown; themes?: unknown }): Tools {
  const names = [config.plugins, config.themes].flatMap(listNames)
  const isAlone = (tool: keyof Tools) => !names.some((name) => TWINS[tool].test(name))
  return {
    opinions: tools.opinions && isAlone('opinions'),
    markdown: tools.markdown && isAlone('markdown'),
    zoom: tools.zoom && isAlone('zoom'),
  }
}

/** Plugins by name, alone or with their options. */
export function listNames(entries: unknown): string[] {
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const name: unknown = Array.isArray(entry) ? entry[0] : entry
    return typeof name === 'string' ? [name] : []
  })
}

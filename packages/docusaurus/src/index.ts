import { createRequire } from 'node:module'
import type * as PluginModule from './plugin.ts'

export { rehypeAccessible } from './content/accessible.ts'
export { warnOfBrokenMarkdownLink } from './content/broken-links.ts'
export { rehypePhrases } from './content/phrases.ts'
export { absenceOfAddresses, inEdition, sidebarsWithout } from './editions/index.ts'
export type { SekishoOptions } from './options.ts'
export { rehypeDiagrams } from './writing/diagrams.ts'
export { hasCompleteHistory } from './writing/git-history.ts'
export { markdownForWriters } from './writing/markdown.ts'
export { katexHref, rehypeMathStyles } from './writing/math.ts'
export { sidebarItems } from './writing/sidebar-items.ts'

// Docusaurus loads plugins through jiti 1, which knows no built-in module that exists only with the `node:` prefix, and
// the search index needs node:sqlite. Node itself reads TypeScript, so from here on Node does the loading.
const plugin: typeof PluginModule = createRequire(import.meta.url)('./plugin.ts')

export const validateOptions = plugin.validateOptions
export default plugin.sekisho

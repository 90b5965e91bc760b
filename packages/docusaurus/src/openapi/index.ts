import { createRequire } from 'node:module'
import type * as PluginModule from './plugin.ts'

// See ../index.ts: from here on Node does the loading, not jiti.
const plugin: typeof PluginModule = createRequire(import.meta.url)('./plugin.ts')

export type { OpenApiOptions } from './plugin.ts'
export const validateOptions = plugin.validateOptions
export default plugin.default

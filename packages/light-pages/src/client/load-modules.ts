import { components, contexts } from '@generated/sekisho-flat/shared'
import { unwrapModule } from './unwrap-module.ts'

const files = new Map<string, string>()
const fileOfKnown = __webpack_require__.u
__webpack_require__.u = (chunk) => files.get(String(chunk)) ?? fileOfKnown(chunk)

/** Tells the runtime where page chunks are: it was built without their names. */
export function nameFiles(own: { [chunk: string]: string }): void {
  for (const [chunk, file] of Object.entries(own)) files.set(chunk, file)
}

/** Loads one module by the name a record gives it. */
export async function loadModule(name: string): Promise<unknown> {
  const context = contexts[name.slice(1)]
  if (name.startsWith('~') && context !== undefined) return context
  if (name.startsWith('~')) return unwrapModule((await components[name.slice(1)]?.()) ?? {}, name)
  const [module = '', chunks = ''] = name.split(':')
  const missing = chunks.split(',').filter((chunk) => chunk !== '')
  await Promise.all(missing.map((chunk) => __webpack_require__.e(chunk)))
  return unwrapModule(__webpack_require__(module), name)
}

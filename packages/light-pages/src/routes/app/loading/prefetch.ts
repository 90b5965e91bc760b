import prefetchFile from '@docusaurus/core/lib/client/prefetch.js'
import { pathKey } from '../../model.ts'
import { isSlow, whenIdle } from './connection.ts'
import type { FindRecord } from './route-table.ts'

/**
 * Takes over the half of `window.docusaurus` that looks a page up in the whole route table: of a link in sight the page's
 * scripts are fetched when the browser is idle, but not run.
 */
export function installPrefetch(findRecord: FindRecord): void {
  const asked = new Set<string>()
  const prefetch = (path: string): false | Promise<unknown> => {
    const key = pathKey(new URL(path, window.location.href).pathname)
    if (isSlow() || asked.has(key)) return false
    asked.add(key)
    return whenIdle()
      .then(() => findRecord(key))
      .then((record) =>
        Promise.all(
          Object.values(record?.chunks ?? {}).map((file) => prefetchFile(__webpack_require__.p + file)),
        ),
      )
      .catch(() => [])
  }
  // Docusaurus installs its own in the task that runs this module.
  queueMicrotask(() => {
    window.docusaurus = { ...window.docusaurus, prefetch } as typeof window.docusaurus
  })
}

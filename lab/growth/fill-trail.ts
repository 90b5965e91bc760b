import { openFolderTrail } from '@sekisho/server/audit'
import type { DataFolder } from '@sekisho/server/data-folder'

/** Lines that share a sync; more than ten thousand that wait close a trail. */
const AT_ONCE = 5_000

/** Fills the trail of a gate that is not running with readings, as a gate writes them. */
export async function fillTrail(folder: DataFolder, count: number): Promise<void> {
  const failures: unknown[] = []
  const trail = await openFolderTrail(folder, { now: Date.now, onFailure: (error) => failures.push(error) })
  for (let first = 0; first < count; first += AT_ONCE) {
    for (let at = first; at < Math.min(first + AT_ONCE, count); at += 1) {
      const account = `reader-${at % 10_000}`
      await trail.recordReading({
        event: 'page_read',
        reader: {
          email: `${account}@example.co.jp`,
          issuer: 'https://issuer.test',
          sub: account,
          id: `session-${at % 40_000}`,
        },
        path: `/docs/page-${at % 5_000}`,
        release: '20261124T000000Z-0a1b2c3d',
        request: `request-${at}`,
      })
    }
    await trail.flush()
  }
  await trail.close()
  if (failures.length > 0) throw failures[0]
}

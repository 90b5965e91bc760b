import { allStoredFiles, loadManifest } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { expect, it } from 'vitest'
import type { PortalClient } from './portal-client.ts'
import { sendRelease } from './send-release.ts'

it('reports the bytes that the portal has taken, of those that it lacked', async () => {
  await using build = await createTestBuild()
  const { id } = await packRelease({ ...build, clock: Date.now })
  const { releases } = dataFolderAt(build.dataDir)
  const files = [...allStoredFiles(await loadManifest(releases, id))]
  const [here] = files
  const lacking = new Map(
    files.filter(({ sha256 }) => sha256 !== here?.sha256).map((one) => [one.sha256, one]),
  )
  const unsent = files.flatMap(({ sha256 }, index) => (lacking.has(sha256) ? [index] : []))
  const portal = {
    takesProofs: false,
    sendParts: async () => {},
    plan: async () => ({ isManifestHere: true, unsent, arrived: {} }),
    commit: async () => ({ state: 'served', othersLookEveryMs: null }),
  } as unknown as PortalClient
  const reported: [number, number][] = []
  await sendRelease(portal, releases, { id }, (sent, total) => reported.push([sent, total]))
  const bytes = [...lacking.values()].reduce((sum, one) => sum + one.bytes, 0)
  expect(reported.at(-1)).toEqual([bytes, bytes])
})

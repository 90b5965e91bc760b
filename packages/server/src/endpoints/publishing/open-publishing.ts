import { statfs } from 'node:fs/promises'
import { openPreviewStore, openReleaseStore } from '@sekisho/release'
import { createReceiver, type InspectIndex, openServedFiles } from '@sekisho/release/receiving'
import type { AuditTrail } from '../../audit/index.ts'
import type { GateConfig } from '../../config/gate-config.ts'
import type { PublishRule } from '../../config/publish-rules.ts'
import { previewLookMs, STORE_LOOK_MS, type StoreCopies } from '../../releases/follow-store.ts'
import type { Releases } from '../../releases/open-releases.ts'
import type { Seal } from '../../state/sessions/index.ts'
import type { Stores } from '../../state/stores/open-stores.ts'
import type { DataFolder } from '../../storage/data-folder.ts'
import { createAdmit } from './admit-publisher.ts'
import { createCiVerifier } from './ci-token.ts'
import { asOutage, createPublishApi } from './publish-api.ts'
import { createPublishTickets } from './tickets.ts'

interface OpenPublishingOptions {
  readonly config: Pick<GateConfig, 'publishing' | 'releases' | 'retention'>
  readonly folder: DataFolder
  readonly origin: URL
  /** The rules in force for jobs of a CI. */
  readonly rules: () => readonly PublishRule[]
  readonly stores: Pick<Stores, 'publishers'>
  readonly releases: Pick<Releases, 'manifest' | 'refresh' | 'status'>
  readonly refreshPreview: (name: string) => Promise<void>
  /** Copies of what is published elsewhere; null where the data folder's own releases are served. */
  readonly copies: Pick<StoreCopies, 'releasesDir' | 'lookAgain'> | null
  readonly inspectIndex: InspectIndex
  readonly audit: AuditTrail
  readonly seal: Seal
  readonly now: () => number
}

/** Everything through which releases reach a running gate. */
export function openPublishing(options: OpenPublishingOptions) {
  const { config, folder, origin, rules, releases, copies, audit, seal, now } = options
  const { publishers: store } = options.stores
  const { maxBytes, maxEntries } = config.publishing
  const served = openServedFiles(copies?.releasesDir ?? folder.releases, releases.manifest)
  const releaseStore = openReleaseStore(config.releases ?? { folder: folder.releases })
  const receiver = createReceiver({
    store: releaseStore,
    previews: openPreviewStore(config.releases ?? { folder: folder.root }),
    served,
    retention: config.retention,
    maxBytes,
    maxEntries,
    async freeBytes() {
      if (releaseStore.folder === undefined) return null
      const disk = await statfs(releaseStore.folder).catch(() => null)
      return disk === null ? null : disk.bavail * disk.bsize
    },
    now,
    inspectIndex: options.inspectIndex,
    serving: {
      async serves(target, id, manifest) {
        if (target !== 'production') {
          await options.refreshPreview(target.preview)
          return true
        }
        await copies?.lookAgain()
        await releases.refresh(manifest)
        const status = releases.status()
        return status.state === 'ready' && status.id === id
      },
      othersLookEveryMs(target) {
        if (config.releases === null) return null
        return target === 'production' ? STORE_LOOK_MS : previewLookMs(config.releases)
      },
    },
  })
  const verifyCi = createCiVerifier({ rules, origin, fetch, now })
  const api = createPublishApi({
    admit: createAdmit({ verifyCi, store, now }),
    store,
    tickets: createPublishTickets({ seal, now }),
    receiver,
    audit,
    now,
  })
  const tidy = () =>
    receiver.tidy().catch((error: unknown) => {
      throw asOutage(error)
    })
  return { ...api, tidy }
}

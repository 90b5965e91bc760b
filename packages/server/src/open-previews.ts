import type { BlockList } from 'node:net'
import type { StorePlace } from '@sekisho/release'
import type { EmbeddingEndpoint } from '@sekisho/search/embeddings'
import { followPreviews, type Previews } from './endpoints/previews/follow-previews.ts'
import { createPreviewReleases } from './endpoints/previews/preview-releases.ts'
import { createFairSearches } from './endpoints/search/fair-searches.ts'
import { createSearchRunner } from './endpoints/search/search-runner.ts'
import { withClientAddress } from './kernel/client/client-address.ts'
import type { Log } from './kernel/monitoring/log.ts'
import { createPreviewGate, type PreviewParts } from './preview-gate.ts'
import type { DataFolder } from './storage/data-folder.ts'

/** One worker searches all previews, and keeps the indexes of so many open. */
const MAX_SEARCHED = 3

interface OpenPreviewsOptions {
  /** Null where the data folder's own releases are served. */
  readonly place: StorePlace | null
  readonly folder: DataFolder
  readonly log: Log
  readonly trustedProxies: BlockList
  /** As on the portal. */
  readonly embeddings: EmbeddingEndpoint | null
  readonly shared: Omit<PreviewParts, 'searches'>
}

/** Everything that previews need beside the portal; disposing ends what is under way. */
export async function openPreviews(options: OpenPreviewsOptions): Promise<Previews> {
  const { folder, log, trustedProxies, embeddings, shared } = options
  const place = options.place ?? { folder: folder.root }
  await using cleanup = new AsyncDisposableStack()
  const runner = cleanup.adopt(createSearchRunner({ maxReleases: MAX_SEARCHED, embeddings }), (started) =>
    started.close(),
  )
  const searches = createFairSearches(runner)
  const { signal } = cleanup.adopt(new AbortController(), (ending) => ending.abort())
  const releases = createPreviewReleases({
    place,
    isOwn: options.place === null,
    folder,
    log,
    signal,
  })
  const previews = cleanup.use(
    await followPreviews({
      place,
      folder,
      portal: shared.portal,
      serve(live) {
        const gate = createPreviewGate(live, releases.of(live.preview.name), { ...shared, searches })
        return { origin: live.origin, handle: withClientAddress(gate, trustedProxies) }
      },
      onGone: releases.forget,
      log,
      now: shared.now,
    }),
  )
  const resources = cleanup.move()
  return { ...previews, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

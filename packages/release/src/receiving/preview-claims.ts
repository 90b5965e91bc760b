import type { PreviewTarget } from '@sekisho/contract/publishing'
import {
  assertMayStand,
  PREVIEW_LIFE_MS,
  type Preview,
  type PreviewReaders,
  readPreview,
} from '../stores/preview-list.ts'
import type { PreviewStore } from '../stores/previews.ts'

/** Owner of a future preview, and its description by the publisher. */
interface PreviewPublisher {
  readonly target: PreviewTarget
  readonly owner: string
}

/** Addresses and mail domains, in the order they were sent; null for those of the portal. */
export type ShownReaders = readonly string[] | null

/** Told before the readers of a preview change; rejects when that cannot be recorded, and then they do not. */
export type AnnounceReaders = (before: ShownReaders, after: ShownReaders) => Promise<void>

const DAY_MS = 24 * 60 * 60_000

/**
 * The list of previews, as publishers change it: the first one to publish under a name owns it, and what is said of a preview counts once its
 * release is whole. Throws `ReleaseError`.
 */
export function createPreviewClaims(previews: PreviewStore, now: () => number) {
  function describe({ target, owner }: PreviewPublisher): Preview {
    const { preview: name, branch, commit, expiresInDays, readers } = target
    const lifeMs = expiresInDays === undefined ? PREVIEW_LIFE_MS : expiresInDays * DAY_MS
    const times = { createdAtMs: now(), expiresAtMs: now() + lifeMs }
    return readPreview({ name, branch, commit, ...times, ...(readers !== undefined && { readers }), owner })
  }

  return {
    /** Checks the right to publish it, before anything is sent. */
    assertMayBegin: async (publisher: PreviewPublisher) =>
      assertMayStand(describe(publisher), await previews.list()),
    /** Before a file is put there; changes nothing that stands. */
    claim: (publisher: PreviewPublisher) => previews.claim(describe(publisher)),
    /** Records a complete release before the pointer moves, so that readers of the previous one alone never see it. */
    async settle(publisher: PreviewPublisher, announce: AnnounceReaders): Promise<void> {
      const preview = describe(publisher)
      const standing = (await previews.list()).find(({ name }) => name === preview.name)
      const [before, after] = [standing ?? preview, preview].map(({ readers }) => shownReaders(readers))
      if (JSON.stringify(before) !== JSON.stringify(after)) await announce(before ?? null, after ?? null)
      await previews.describe(preview)
    },
  }
}

function shownReaders(readers: PreviewReaders | undefined): ShownReaders {
  return readers === undefined ? null : [...readers.domains, ...readers.emails]
}

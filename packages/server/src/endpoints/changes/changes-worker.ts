import { parentPort, workerData } from 'node:worker_threads'
import { listReleaseIds } from '@sekisho/release'
import { comparePages, type PageChanges, type ReleasePages, readPages, readText } from './compare-releases.ts'
import { type DiffLine, diffPages } from './page-diff.ts'

/** Edition and release that changes are told of. */
export interface ChangesOf {
  readonly releasesDir: string
  readonly release: string
  readonly edition: string
  readonly audiences: readonly string[]
  readonly lang: string
}

/** Work of one thread. */
export type ChangesTask =
  /** Changes of each kept release of the edition. */
  | { readonly kind: 'log' }
  /** Changes since a release. */
  | { readonly kind: 'since'; readonly base: string }
  /** Changes of one page since a release. */
  | { readonly kind: 'page'; readonly base: string; readonly path: string }

/** One release with changes in the edition. */
export interface LoggedRelease extends PageChanges {
  readonly id: string
  readonly createdAt: string
}

/** Comparison of a page. */
export type PageComparison =
  | {
      readonly kind: 'lines'
      readonly title: string
      readonly lines: readonly DiffLine[]
      readonly isPartial: boolean
    }
  | { readonly kind: 'new' | 'too_large'; readonly title: string }
  | { readonly kind: 'none' }

export interface ChangesResults {
  readonly log: readonly LoggedRelease[]
  /** Null where the release is no longer kept, or had no such edition. */
  readonly since: PageChanges | null
  readonly page: PageComparison
}

/** Releases that a log looks at, and time after which it looks at no more. */
const MAX_RELEASES = 20
const MAX_LOG_MS = 8_000

const { of, task }: { readonly of: ChangesOf; readonly task: ChangesTask } = workerData
const pagesOf = (id: string) => readPages(of.releasesDir, id, { name: of.edition, audiences: of.audiences })

async function run(): Promise<ChangesResults[keyof ChangesResults]> {
  const now = await pagesOf(of.release)
  if (task.kind === 'log') return now === null ? [] : log(now)
  const before = task.base > of.release ? null : await pagesOf(task.base)
  if (task.kind === 'since')
    return now === null || before === null ? null : comparePages(of.releasesDir, before, now)
  return now === null || before === null ? { kind: 'none' } : comparePage(before, now, task.path)
}

/** Only pages that the edition still has are named, and releases in which some of these changed. */
async function log(now: ReleasePages): Promise<readonly LoggedRelease[]> {
  const ids = (await listReleaseIds(of.releasesDir)).filter((id) => id < of.release).slice(0, MAX_RELEASES)
  const found: LoggedRelease[] = []
  const endsAtMs = performance.now() + MAX_LOG_MS
  let after = now
  for (const id of ids) {
    if (performance.now() > endsAtMs) break
    const before = await pagesOf(id)
    if (before === null) continue
    const { pages, more } = comparePages(of.releasesDir, before, after)
    const left = pages.flatMap((page) => {
      const title = now.texts.get(page.path)?.title
      return title === undefined ? [] : [{ ...page, title }]
    })
    if (left.length > 0) found.push({ id: after.id, createdAt: after.createdAt, pages: left, more })
    after = before
  }
  return found
}

/**
 * Compares a page. Removed text may be for the readers of another edition now: it is shown only where every edition that has the page has
 * the same text of it, and none has the old one.
 */
function comparePage(before: ReleasePages, now: ReleasePages, path: string): PageComparison {
  const page = now.texts.get(path)
  const old = before.texts.get(path)
  if (page === undefined || old?.stored.sha256 === page.stored.sha256) return { kind: 'none' }
  const { title } = page
  if (old === undefined) return { kind: 'new', title }
  const [one, other] = [readText(of.releasesDir, before.id, old), readText(of.releasesDir, now.id, page)]
  const lines = one === null || other === null ? null : diffPages(one, other, of.lang)
  if (lines === null) return { kind: 'too_large', title }
  const others = now.elsewhere.get(path) ?? new Set()
  const isOfAll = [...others].every((sha256) => sha256 === page.stored.sha256)
  const isOthers = [...now.elsewhere.values()].some((hashes) => hashes.has(old.stored.sha256))
  const isWhole = isOfAll && !isOthers
  return { kind: 'lines', title, isPartial: !isWhole, lines: isWhole ? lines : withoutRemoved(lines) }
}

const withoutRemoved = (lines: readonly DiffLine[]): readonly DiffLine[] =>
  lines.flatMap((line): readonly DiffLine[] => {
    if (line.kind === 'gap') return [line]
    const parts = line.parts.filter(({ kind }) => kind !== 'removed')
    return parts.length === 0 ? [] : [{ ...line, parts }]
  })

parentPort?.postMessage(await run())

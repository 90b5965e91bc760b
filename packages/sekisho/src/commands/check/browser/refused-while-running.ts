import type { Grant, GrantKind } from '@sekisho/contract/grants'
import type { RefusedOnPages } from '@sekisho/release/packing'
import type { Violation } from './reporting-proxy.ts'

/** Grant of a directive, by its name without `-src…`. */
const KIND_OF: Readonly<Record<string, GrantKind>> = {
  'img-src': 'img',
  'media-src': 'media',
  'font-src': 'font',
  'style-src': 'style',
  'script-src': 'script',
  'connect-src': 'connect',
  'frame-src': 'frame',
  'worker-src': 'worker',
  'form-action': 'form',
}

/** Blocked requests, each once with its pages, sorted: a grant where one allows it, named as in packing. */
export function refusedWhileRunning(violations: readonly Violation[]): readonly RefusedOnPages[] {
  const found = new Map<string, { readonly grant: Grant | null; readonly pages: Set<string> }>()
  for (const violation of violations) {
    const { what, grant } = readViolation(violation)
    const known = found.get(what) ?? { grant, pages: new Set() }
    known.pages.add(violation.page)
    found.set(what, known)
  }
  return [...found]
    .map(([what, { grant, pages }]) => ({ what, grant, pages: [...pages].sort() }))
    .sort((a, b) => (a.what < b.what ? -1 : 1))
}

function readViolation({ directive, blocked }: Violation): Pick<RefusedOnPages, 'what' | 'grant'> {
  const family = directive.replace(/-(?:elem|attr)$/, '')
  const kind = KIND_OF[family]
  const url = URL.parse(blocked)
  const source = sourceOf(kind, blocked, url)
  if (kind === undefined || source === null)
    return {
      what: `${directive} ${url?.protocol === 'http:' ? url.origin : blocked.slice(0, 100)}`,
      grant: null,
    }
  return { what: `${kind} ${source}`, grant: { kind, source } }
}

function sourceOf(kind: GrantKind | undefined, blocked: string, url: URL | null): string | null {
  if (kind === 'script' && blocked === 'eval') return 'eval'
  if (kind === 'worker' && (blocked === 'blob' || url?.protocol === 'blob:')) return 'blob'
  return url?.protocol === 'https:' ? url.origin : null
}

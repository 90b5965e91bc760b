import { type Grant, type GrantKind, policySources } from '@sekisho/contract/grants'
import type { ResponsePolicy } from '../kernel/reader.ts'

const ISOLATED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

/** Files of ours, and WebAssembly that they compile: bytes, which only a script that runs already can start (decisions/150). */
const SCRIPTS = "script-src 'self' 'wasm-unsafe-eval'"
const CONNECT = "connect-src 'self' data:"

/**
 * Sources of a page itself. Scripts run only from files and by hash. Styles may be inline: diagrams and code blocks write them, and style
 * cannot run. `data:` addresses cause no request.
 */
const GRANTABLE: readonly (readonly [kind: GrantKind, own: string])[] = [
  ['style', "style-src 'self' 'unsafe-inline'"],
  ['img', "img-src 'self' data:"],
  ['font', "font-src 'self' data:"],
  ['media', "media-src 'self' data:"],
  ['connect', CONNECT],
  ['frame', "frame-src 'self'"],
  ['form', "form-action 'self'"],
  ['worker', "worker-src 'self'"],
]
/** Policy of a script, which applies only where it is a worker: it has no document, and reaches its page's hosts only. */
const WORKER = "default-src 'none'; frame-ancestors 'none'"
/** Pages may frame each other, as catalogues of components do; other sites may not. */
const FIXED =
  "default-src 'none'; manifest-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'self'"

/**
 * The content security policy of a release's file, or null where the strictest default fits. What pages may use from elsewhere
 * is the operator's to grant; nothing in a release widens it.
 */
export type ContentPolicy = (policy: ResponsePolicy) => string | null

export function createContentPolicy(grants: readonly Grant[]): ContentPolicy {
  const directive = (kind: GrantKind, own: string) => [own, ...policySources(grants, kind)].join(' ')
  const scripts = directive('script', SCRIPTS)
  const others = GRANTABLE.map(([kind, own]) => directive(kind, own)).join('; ')
  const worker = [WORKER, scripts, directive('connect', CONNECT)].join('; ')
  return (policy) => {
    switch (policy.kind) {
      case 'bare':
        return null
      case 'isolated':
        return ISOLATED
      case 'script':
        return worker
      case 'page':
        return `${[scripts, ...policy.scriptHashes].join(' ')}; ${others}; ${FIXED}`
    }
  }
}

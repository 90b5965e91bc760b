import { type Grant, type GrantKind, policySources } from '@sekisho/contract/grants'
import type { AnswerPolicy } from '../serving/file-answer.ts'

const ISOLATED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

/**
 * Scripts run only from files and by hash. Styles may be inline: diagrams and code blocks write them, and style cannot run. Fonts
 * and pictures within a style sheet ask nobody for anything.
 */
const GRANTABLE: readonly (readonly [kind: GrantKind, own: string])[] = [
  ['style', "style-src 'self' 'unsafe-inline'"],
  ['img', "img-src 'self' data:"],
  ['font', "font-src 'self' data:"],
  ['media', "media-src 'self'"],
  ['connect', "connect-src 'self'"],
  ['frame', "frame-src 'self'"],
  ['form', "form-action 'self'"],
  ['worker', "worker-src 'self'"],
]
/** Pages may show each other in frames, as catalogues of components do; nobody else may. */
const FIXED =
  "default-src 'none'; manifest-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'self'"

/**
 * The content security policy of a release's file, or null where the strictest default fits. What pages may use from elsewhere
 * is the operator's to grant; nothing in a release widens it.
 */
export type ContentPolicy = (policy: AnswerPolicy) => string | null

export function createContentPolicy(grants: readonly Grant[]): ContentPolicy {
  const scripts = ["script-src 'self'", ...policySources(grants, 'script')].join(' ')
  const others = GRANTABLE.map(([kind, own]) => [own, ...policySources(grants, kind)].join(' ')).join('; ')
  return (policy) => {
    switch (policy.kind) {
      case 'bare':
        return null
      case 'isolated':
        return ISOLATED
      case 'page':
        return `${[scripts, ...policy.scriptHashes].join(' ')}; ${others}; ${FIXED}`
    }
  }
}

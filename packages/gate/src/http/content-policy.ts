import type { HeadersChange } from '@sekisho/wire'
import type { AnswerPolicy } from '../serving/file-answer.ts'

/**
 * Adds the content security policy of a release's file, or is null where the strictest default fits. Scripts run
 * only from files and by hash. Styles may be inline: diagrams and code blocks write them, and style cannot run.
 */
export function contentPolicy(policy: AnswerPolicy): HeadersChange | null {
  switch (policy.kind) {
    case 'bare':
      return null
    case 'isolated':
      return isolate
    case 'page':
      return known.get(policy.scriptHashes) ?? remember(policy.scriptHashes)
  }
}

const isolate = adding(
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
)

/** The pages of a release share a few lists of hashes; each policy is serialized once and dropped with its release. */
const known = new WeakMap<readonly string[], HeadersChange>()

function remember(scriptHashes: readonly string[]): HeadersChange {
  const change = adding(serialize(scriptHashes))
  known.set(scriptHashes, change)
  return change
}

function adding(policy: string): HeadersChange {
  return (headers) => headers.set('Content-Security-Policy', policy)
}

function serialize(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

import type { AnswerPolicy } from '../serving/file-answer.ts'

const ISOLATED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

const PAGE = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The content security policy of a release's file, or null where the strictest default fits. Scripts run only from files
 * and by hash. Styles may be inline: diagrams and code blocks write them, and style cannot run.
 */
export function contentPolicy(policy: AnswerPolicy): string | null {
  switch (policy.kind) {
    case 'bare':
      return null
    case 'isolated':
      return ISOLATED
    case 'page':
      return pagePolicy(policy.scriptHashes)
  }
}

function pagePolicy(scriptHashes: readonly string[]): string {
  return `script-src ${["'self'", ...scriptHashes].join(' ')}; ${PAGE}`
}
